import { describe, expect, it } from 'vitest';
import { mayOpen } from './openAddress.ts';

describe('what the shell opens (host §18; trust, "Electron, on top": openExternal only for URL questions)', () => {
  it.each(['https://pay.example/x?y#z', 'http://127.0.0.1:8080/', 'http://localhost/a', 'http://[::1]:9/'])(
    '%s',
    (url) => {
      expect(mayOpen(url)).toBe(true);
    },
  );
  it.each([
    'file:///etc/passwd',
    'javascript:alert(1)',
    'smb://host/share',
    'mailto:a@b.example',
    'ms-settings:privacy',
    'vbscript:x',
    'data:text/html,x',
    'app://desk/',
    'http://pay.example/',
    'http://localhost:80@evil.example/',
    'http://localhost.evil.example/',
    'https://user:secret@pay.example/',
    ' https://pay.example/',
    'https://pay.example/\nx',
    'https:pay.example',
    '/etc/passwd',
    '',
  ])('not %j', (url) => {
    expect(mayOpen(url)).toBe(false);
  });
});
