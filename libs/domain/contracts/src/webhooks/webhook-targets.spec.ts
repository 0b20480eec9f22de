import { isWebhookTarget, readWebhookTargets } from './webhook-targets';

const may = (targets: string, url: string): boolean => isWebhookTarget(new URL(url), readWebhookTargets(targets) ?? []);

describe('targets of webhooks', () => {
  it.each([
    ['hooks.example.org', 'https://hooks.example.org/x?token=1'],
    ['Hooks.Example.org', 'https://HOOKS.example.org'],
    ['*.example.org', 'https://a.b.example.org/'],
    ['example.org:8443, other.org', 'https://example.org:8443/'],
    ['example.org:*', 'https://example.org:9999/'],
    ['http://127.0.0.1:9000', 'http://127.0.0.1:9000/'],
    ['http://127.0.0.1', 'http://2130706433/'],
    ['[2001:db8::1]', 'https://[2001:db8::1]/'],
  ])('%s allows %s', (targets, url) => {
    expect(may(targets, url)).toBe(true);
  });

  it.each([
    ['', 'https://example.org/'],
    ['example.org', 'http://example.org/'],
    ['example.org', 'https://example.org:8443/'],
    ['example.org', 'https://evil-example.org/'],
    ['example.org', 'https://example.org.evil.net/'],
    ['example.org', 'https://example.org./'],
    ['*.example.org', 'https://example.org/'],
    ['*.example.org', 'https://evilexample.org/'],
    ['example.org', 'https://user@evil.net/example.org'],
    ['http://example.org', 'https://example.org/'],
  ])('%s does not allow %s', (targets, url) => {
    expect(may(targets, url)).toBe(false);
  });

  it.each([
    '*',
    '*.',
    'a b',
    'ftp://example.org',
    'example.org/path',
    'example.org:0',
    'example.org:70000',
    'a..b',
    'a@b',
  ])('%s is invalid', (text) => {
    expect(readWebhookTargets(text)).toBeUndefined();
  });
});
