// Reading what a server asks for (RFC 9110 §11.6, RFC 6750 §3): headers as servers write them, and as they should not.
import { describe, expect, it } from 'vitest';
import { readChallenge, scopeUnion } from './oauthChallenge.ts';

describe('a challenge', () => {
  it.each([
    ['Bearer', null, null],
    ['bearer scope="a b", resource_metadata="https://x.example/m"', 'https://x.example/m', 'a b'],
    ['Bearer realm="a, scope=\\"z\\"", scope=orders:read', null, 'orders:read'],
    ['Basic realm="x", Bearer scope="a"', null, 'a'],
    ['Bearer scope="a", DPoP scope="b", resource_metadata="https://evil.example"', null, 'a'],
    ['DPoP scope="b"', null, null],
    ['Bearer scope="a", scope="b"', null, 'a'],
    ['Bearer scope="a\\\\b"', null, null],
    [`Bearer scope="${'a'.repeat(2_000)}"`, null, null],
    ['Bearer scope="  a   b "', null, 'a b'],
    ['=== "', null, null],
  ])('%s', (header, metadata, scope) => {
    expect(readChallenge(401, header)).toEqual({ kind: 'sign-in', metadata, scope });
  });
  it('401 without a header asks all the same; 403 only where it says that a scope is missing', () => {
    expect(readChallenge(401, undefined)).toEqual({ kind: 'sign-in', metadata: null, scope: null });
    expect(readChallenge(403, 'Bearer scope="a"')).toBeNull();
    expect(readChallenge(403, undefined)).toBeNull();
    expect(readChallenge(403, 'Bearer error="insufficient_scope", scope="a"')).toMatchObject({
      kind: 'scope',
      scope: 'a',
    });
    expect(readChallenge(500, 'Bearer error="insufficient_scope"')).toBeNull();
  });
  it('a header of a megabyte is read in one go', () => {
    expect(readChallenge(401, `Bearer ${'a="b\\'.repeat(200_000)}`)).toMatchObject({ kind: 'sign-in', scope: null });
  });
});

it('scopes together are each there once, in their order', () => {
  expect(scopeUnion('a b', null, 'b c', undefined)).toBe('a b c');
  expect(scopeUnion(null, '')).toBeNull();
});
