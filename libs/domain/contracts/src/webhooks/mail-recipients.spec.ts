import { isMailAddress, isMailRecipient, mailAddressOf, readMailDomains } from './mail-recipients';

const domains = readMailDomains('Example.org, *.lab.example.net') ?? [];

describe('allowed e-mail domains', () => {
  it('are read, or rejected completely if one of them is invalid', () => {
    expect(domains).toEqual([
      { domain: 'example.org', below: false },
      { domain: 'lab.example.net', below: true },
    ]);
    expect(readMailDomains(' ')).toEqual([]);
    for (const text of ['*', '*.', 'a b', 'example.org, -x', 'ada@example.org', 'example..org'])
      expect(readMailDomains(text)).toBeUndefined();
  });

  it.each([
    ['ada@example.org', true],
    ["Ada.O'Neil+fleet@EXAMPLE.ORG", true],
    ['ada@mx.lab.example.net', true],
    ['ada@lab.example.net', false],
    ['ada@sub.example.org', false],
    ['ada@example.org.evil.net', false],
    ['ada@evilexample.org', false],
  ])('allow %s: %s', (address, expected) => {
    expect(isMailRecipient(address, domains)).toBe(expected);
  });
});

describe('an e-mail address', () => {
  it.each([
    'ada@example.org\r\nBcc: eve@evil.net',
    'ada@example.org\n',
    'ada@example.org,eve@evil.net',
    'ada@example.org;eve@evil.net',
    'ada@example.org eve@evil.net',
    '<ada@example.org>',
    'Ada <ada@example.org>',
    'ada@example.org?bcc=eve@evil.net',
    'a?to=eve@example.org',
    'eve%evil.net@example.org',
    'evil.net!eve@example.org',
    '@evil.net:ada@example.org',
    '"eve@evil.net"@example.org',
    'ada(comment)@example.org',
    'ada@[127.0.0.1]',
    '.ada@example.org',
    'ada..b@example.org',
    'ada\u0000@example.org',
    'ad\u00e4@example.org',
    'ada@ex\u0430mple.org',
    `${'a'.repeat(65)}@example.org`,
    `a@${'b.'.repeat(130)}org`,
    '@example.org',
    'ada',
    '',
  ])('is invalid: %j', (text) => {
    expect(isMailAddress(text)).toBe(false);
  });

  it('comes after mailto:', () => {
    expect([mailAddressOf('mailto:ada@example.org'), mailAddressOf('https://example.org')]).toEqual([
      'ada@example.org',
      undefined,
    ]);
  });
});
