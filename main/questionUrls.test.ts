import { describe, expect, it } from 'vitest';
import { readUrl } from './questionUrls.ts';

function good(text: string) {
  const read = readUrl(text);
  if (!read.ok) throw new Error(`${text}: ${read.why}`);
  return read;
}
function why(text: string): string {
  const read = readUrl(text);
  return read.ok ? `opened ${read.url}` : read.why;
}

describe('addresses servers ask a person to visit (host §18)', () => {
  it('takes https as it is, without a warning', () => {
    expect(good('https://pay.example.com/return?order=1#top')).toEqual({
      ok: true,
      url: 'https://pay.example.com/return?order=1#top',
      host: 'pay.example.com',
      spelled: 'pay.example.com',
      domain: 'example.com',
      warnings: [],
    });
    expect(good('HTTPS://Pay.Example.com:8443').warnings).toEqual([]);
    expect(good('https://example.com/@user?mail=a@b.example').host).toBe('example.com');
  });

  it.each([
    ['https://login.bank.co.uk.evil.example/bank.co.uk', 'evil.example'],
    ['https://pay.fernhill.co.uk/', 'fernhill.co.uk'],
    ['https://shop.somebody.github.io/', 'somebody.github.io'],
    ['https://a.xn--pypal-4ve.com/', 'xn--pypal-4ve.com'],
    ['https://example.com./', 'example.com.'],
    ['https://co.uk/', 'co.uk'],
    ['https://192.0.2.7/', '192.0.2.7'],
    ['http://[::1]:4000/', '[::1]'],
  ])('names the part that somebody registered (ui, Inbox): %s is %s', (text, domain) => {
    const read = good(text);
    expect(read.domain).toBe(domain);
    expect(read.spelled.endsWith(domain)).toBe(true);
  });

  it.each(['http://127.0.0.1:4000/a', 'http://[::1]:4000/', 'http://localhost/x'])(
    'takes http on loopback: %s',
    (text) => expect(good(text).warnings.join(' ')).toMatch(/this computer/),
  );

  it.each([
    'http://example.com/',
    'http://127.0.0.1.example.com/',
    'http://localhost.example.com/',
    'http://localhost.',
    'http://10.0.0.1/',
    'http://0.0.0.0/',
    'http://[::ffff:127.0.0.1]/',
  ])('refuses http elsewhere: %s', (text) => expect(why(text)).toMatch(/only on this computer/));

  it.each([
    ['javascript:alert(1)', 'javascript:'],
    ['JavaScript://example.com/%0aalert(1)', 'javascript:'],
    ['data:text/html,<script>1</script>', 'data:'],
    ['file:///etc/passwd', 'file:'],
    ['ftp://example.com/', 'ftp:'],
    ['mailto:a@example.com', 'mailto:'],
    ['ms-settings:privacy', 'ms-settings:'],
    ['blob:https://example.com/1', 'blob:'],
    ['wss://example.com/', 'wss:'],
  ])('refuses other schemes by name (trust, hostile servers): %s', (text, scheme) =>
    expect(why(text)).toContain(`kind ${scheme}`),
  );

  it.each([
    'https://paypal.com@evil.example/',
    'https://user:pass@evil.example/',
    'https://@evil.example/',
    'https://good.example%2f@evil.example/',
  ])('refuses user-info (trust, hostile servers): %s', (text) => expect(why(text)).toMatch(/user name/));

  it.each([
    ['', /names no address/],
    ['example.com/pay', /not a full one/],
    ['//example.com', /not a full one/],
    ['https:example.com', /right after https/],
    ['https:///example.com', /right after https/],
    ['https://exa mple.com', /spaces/],
    [' https://example.com', /spaces/],
    ['java\nscript:alert(1)', /spaces/],
    ['https://example.com\\@evil.example/', /backslashes/],
    ['https://exam\u200bple.com', /invisible/],
    ['https://example.com/\u202egnp.exe', /invisible/],
    ['https://%65vil.example/', /percent/],
    ['https://xn--zzzzzz-999999999/', /no valid name/],
    ['https://exa<mple.com/', /no valid name/],
    ['https://1.2.3.999/', /no valid name/],
    ['https://:443/', /no valid name/],
  ])('refuses what cannot be shown honestly: %j', (text, words) => expect(why(text)).toMatch(words));

  it('takes 2,048 characters and no more, as written and as spelled (trust, limits)', () => {
    const start = 'https://example.com/';
    expect(good(start + 'a'.repeat(2048 - start.length)).url).toHaveLength(2048);
    expect(why(start + 'a'.repeat(2049 - start.length))).toMatch(/2049 characters/);
    expect(why(start + './'.repeat(1020))).toMatch(/2060 characters/);
    expect(why(start + 'ü'.repeat(1000))).toMatch(/6020 characters/);
  });

  it.each([
    ['https://0x7f.1/', '127.0.0.1'],
    ['https://0177.0.0.1/', '127.0.0.1'],
    ['https://2130706433/', '127.0.0.1'],
    ['https://127.1/', '127.0.0.1'],
    ['https://0xC0A80001/', '192.168.0.1'],
  ])('names numeric, octal and hex hosts: %s', (text, address) => {
    const read = good(text);
    expect(read.spelled).toBe(address);
    expect(read.warnings[0]).toContain(`it leads to ${address}`);
    expect(read.warnings[1]).toMatch(/bare number address/);
    expect(read.warnings[2]).toMatch(/private network/);
  });

  it('names a plain number address and a private network, not a public one as private', () => {
    expect(good('https://8.8.8.8/').warnings).toEqual(['The host is a bare number address, 8.8.8.8, not a name.']);
    expect(good('https://172.16.3.4/').warnings[1]).toMatch(/private network/);
    expect(good('https://172.32.3.4/').warnings).toHaveLength(1);
    expect(good('https://[fd00::1]/').warnings[1]).toMatch(/private network/);
  });

  it('exposes Cyrillic among Latin letters, with the real spelling', () => {
    const read = good('https://p\u0430ypal.com/login');
    expect(read.host).toBe('p\u0430ypal.com');
    expect(read.spelled).toBe('xn--pypal-4ve.com');
    expect(read.url).toBe('https://xn--pypal-4ve.com/login');
    const words = read.warnings.join('\n');
    expect(words).toContain('real spelling is xn--pypal-4ve.com');
    expect(words).toContain('mixes Latin and Cyrillic');
    expect(words).toContain('read as “paypal”');
    expect(words).toContain('U+0430');
  });

  it('decodes xn-- labels and warns the same', () => {
    const read = good('https://xn--pypal-4ve.com/');
    expect(read.host).toBe('p\u0430ypal.com');
    expect(read.warnings.join('\n')).toContain('mixes Latin and Cyrillic');
  });

  it('exposes names wholly in look-alike letters and Greek among Latin', () => {
    const whole = good('https://\u0430\u0440\u0440\u04cf\u0435.com/').warnings.join('\n');
    expect(whole).toContain('read as “apple”');
    expect(whole).not.toContain('mixes');
    expect(good('https://g\u03bfogle.com/').warnings.join('\n')).toContain('mixes Latin and Greek');
  });

  it('names honest international letters without calling them mixed', () => {
    for (const text of ['https://müller.example/', 'https://日本のテレビ.example/']) {
      const words = good(text).warnings.join('\n');
      expect(words).toContain('letters outside a–z');
      expect(words).not.toContain('mixes');
    }
  });

  it('says where a full-width host leads', () => {
    const read = good('https://\uff45xample\u3002com/');
    expect(read.spelled).toBe('example.com');
    expect(read.warnings[0]).toMatch(/it leads to example\.com/);
  });
});
