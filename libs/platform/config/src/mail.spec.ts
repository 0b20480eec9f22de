import { problemsOf } from './fixtures/problems-of';
import { loadConfig } from './load-config';
import { mailOf, type MailSettings } from './mail';
import { MailConfig } from './mail-section';

type Env = Readonly<Record<string, string>>;
const read = (env: Env): MailSettings | undefined => mailOf(loadConfig(MailConfig, env));
const whole = {
  FLEET_SMTP_URL: 'smtps://fleet:p%40ss%3Aword@mail.example.org',
  FLEET_MAIL_FROM: 'fleet@example.org',
  FLEET_MAIL_DOMAINS: 'example.org, *.lab.example.org',
};

describe('the configuration of e-mail', () => {
  it('is undefined by default', () => {
    expect(read({})).toBeUndefined();
    expect(read({ FLEET_SMTP_URL: '', FLEET_MAIL_FROM: '', FLEET_MAIL_DOMAINS: '' })).toBeUndefined();
  });

  it('has a server, a sender address and recipient domains', () => {
    expect(read(whole)).toEqual({
      server: { host: 'mail.example.org', port: 465, tls: 'at-once', login: { user: 'fleet', pass: 'p@ss:word' } },
      from: 'fleet@example.org',
      domains: [
        { domain: 'example.org', below: false },
        { domain: 'lab.example.org', below: true },
      ],
    });
  });

  it.each([
    ['smtp://mail.example.org', { host: 'mail.example.org', port: 587, tls: 'starttls' }],
    ['smtp+plain://localhost:2525/', { host: 'localhost', port: 2525, tls: 'none' }],
    ['smtps://[fd00::1]', { host: 'fd00::1', port: 465, tls: 'at-once' }],
  ])('allows %s', (url, server) => {
    expect(read({ ...whole, FLEET_SMTP_URL: url })?.server).toEqual(server);
  });

  it.each([
    'mail.example.org',
    'http://mail.example.org',
    'smtp+plain://fleet:hunter2@mail.example.org',
    'smtp://fleet@mail.example.org',
    'smtp://a:hunter2@b@mail.example.org',
    'smtp://mail.example.org:99999',
    'smtp://mail.example.org/?tls=none',
    'smtp://a:%ff@mail.example.org',
    'smtp://mail.example.org\nx',
  ])('rejects %j, and never shows it', (url) => {
    const problems = problemsOf(() => read({ ...whole, FLEET_SMTP_URL: url }));
    expect(problems).toMatchObject([{ variable: 'FLEET_SMTP_URL' }]);
    expect(JSON.stringify(problems)).not.toContain('hunter2');
  });

  it.each([
    ['FLEET_MAIL_FROM', 'Fleet <fleet@example.org>'],
    ['FLEET_MAIL_FROM', 'fleet@example.org,eve@evil.net'],
    ['FLEET_MAIL_DOMAINS', '*'],
    ['FLEET_MAIL_DOMAINS', 'ada@example.org'],
    ['FLEET_MAIL_DOMAINS', ','],
  ])('is rejected with %s as %s', (variable, value) => {
    expect(problemsOf(() => read({ ...whole, [variable]: value }))).toMatchObject([{ variable }]);
  });

  it('must be complete: missing variables are reported', () => {
    const { FLEET_MAIL_FROM } = whole;
    expect(problemsOf(() => read({ FLEET_MAIL_FROM })).map(({ variable }) => variable)).toEqual([
      'FLEET_SMTP_URL',
      'FLEET_MAIL_DOMAINS',
    ]);
  });
});
