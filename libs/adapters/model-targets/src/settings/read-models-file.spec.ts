import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isConfigError } from '@fleet/config';
import { useFolder } from '@fleet/testing';
import { readModelsFile } from './read-models-file';

describe('the models file', () => {
  const root = useFolder('file');
  const at = (name: string): string => join(root, name);
  beforeAll(() => {
    mkdirSync(at('work'));
    writeFileSync(at('key'), 'sk-secret\n', { mode: 0o600 });
    writeFileSync(at('work/key'), 'sk-secret\n', { mode: 0o600 });
    writeFileSync(at('words'), 'not a key\n', { mode: 0o600 });
    writeFileSync(at('open'), 'sk-secret\n');
    chmodSync(at('open'), 0o666);
  });

  const read = (yaml: string) => {
    writeFileSync(at('models.yaml'), yaml.replaceAll('ROOT', root));
    return readModelsFile(at('models.yaml'), at('work'));
  };
  const problems = (yaml: string): string => {
    try {
      read(yaml);
    } catch (error) {
      if (isConfigError(error)) return error.message;
      throw error;
    }
    return '';
  };
  const roles = 'roles: { planning: [one] }';

  it("lists the planning targets in order, with the protocol's defaults", () => {
    const { planning, budgets } = read(
      [
        'local_only: true',
        'budgets: { session: { requests: 60 }, day: { tokens: 1000000, cost: 2.5 } }',
        'targets:',
        '  - { id: other, protocol: ollama, local: true, temperature: 0.1, total_s: 90 }',
        '  - { id: one, protocol: openai, base_url: "https://models.example.org/v1/", model: qwen3, local: true, key_file: ROOT/key, price: { input: 0.25, output: 2 } }',
        'roles: { planning: [one, other] }',
      ].join('\n'),
    );
    expect(budgets).toEqual({ session: { requests: 60 }, day: { tokens: 1_000_000, cost: 2.5 } });
    expect(planning).toEqual([
      {
        id: 'one',
        protocol: 'openai',
        local: true,
        baseUrl: 'https://models.example.org/v1',
        model: 'qwen3',
        key: 'sk-secret',
        contextTokens: 128_000,
        maxOutputTokens: 4_096,
        sendsSchema: true,
        price: { input: 0.25, output: 2 },
        limits: { firstMs: 120_000, idleMs: 60_000, totalMs: 200_000 },
      },
      expect.objectContaining({
        baseUrl: 'http://127.0.0.1:11434',
        model: 'qwen3:32b',
        contextTokens: 32_768,
        temperature: 0.1,
        limits: { firstMs: 120_000, idleMs: 60_000, totalMs: 90_000 },
      }),
    ]);
  });

  it('has readers of advice if configured, by default with a lighter model of the same vendor', () => {
    const targets = 'targets: [{ id: one, protocol: google }, { id: two, protocol: ollama, model: small }]';
    expect(read(`${targets}\nroles: { planning: [one] }`).directives).toEqual([]);
    const { planning, directives } = read(`${targets}\nroles: { planning: [one], directives: [two, one] }`);
    expect(planning).toMatchObject([{ id: 'one', model: 'gemini-2.5-pro' }]);
    expect(directives).toMatchObject([
      { id: 'two', model: 'small' },
      { id: 'one', model: 'gemini-2.0-flash' },
    ]);
  });

  it('uses the models of the assessment role, and none without', () => {
    const targets = 'targets: [{ id: one, protocol: google }, { id: two, protocol: ollama, model: small }]';
    expect(read(`${targets}\nroles: { planning: [one] }`).analysis).toEqual([]);
    expect(read(`${targets}\nroles: { planning: [one], analysis: [two, one] }`).analysis).toMatchObject([
      { id: 'two', model: 'small' },
      { id: 'one', model: 'gemini-2.5-pro' },
    ]);
  });

  it("summarises logs with the vendor's smallest model by default, and with none without the role", () => {
    const targets = 'targets: [{ id: one, protocol: google }, { id: two, protocol: ollama, model: small }]';
    expect(read(`${targets}\n${roles}`).cheap).toEqual([]);
    expect(read(`${targets}\nroles: { planning: [one], cheap: [one, two] }`).cheap).toMatchObject([
      { id: 'one', model: 'gemini-2.5-flash-lite' },
      { id: 'two', model: 'small' },
    ]);
  });

  it('maps v2 requests to the targets of their provider, and none without', () => {
    const targets = 'targets: [{ id: one, protocol: google }, { id: two, protocol: ollama, model: small }]';
    expect(read(`${targets}\n${roles}`).providers).toEqual([]);
    const providers = 'providers: [{ name: google, targets: [one, two] }, { name: ollama, targets: [two] }]';
    expect(read(`${targets}\n${roles}\n${providers}`).providers).toMatchObject([
      { name: 'google', targets: [{ id: 'one', model: 'gemini-2.5-pro' }, { id: 'two' }] },
      { name: 'ollama', targets: [{ id: 'two' }] },
    ]);
  });

  it('needs little more than a key for a hosted model', () => {
    const [one] = read(`targets: [{ id: one, protocol: google, key_file: ROOT/key }]\n${roles}`).planning;
    expect(one).toMatchObject({
      baseUrl: 'https://generativelanguage.googleapis.com',
      model: 'gemini-2.5-pro',
      local: false,
      limits: { firstMs: 60_000, idleMs: 30_000, totalMs: 120_000 },
    });
  });

  const target = (members: string): string => `targets: [{ id: one, ${members} }]\n${roles}`;
  it.each([
    ['no YAML', 'targets: [', /cannot be read as YAML/],
    ['no targets', roles, /targets is missing/],
    ['an unknown member', target('protocol: ollama, locl: true'), /targets\[0\]\.locl is not known/],
    ['an unknown protocol', target('protocol: bedrock'), /targets\[0\]\.protocol .*openai, anthropic, google, ollama/],
    [
      'an unknown role',
      `targets: [{ id: one, protocol: ollama }]\nroles: { planning: [one], cooking: [one] }`,
      /roles\.cooking/,
    ],
    [
      'a role without its target',
      `targets: [{ id: two, protocol: ollama }]\n${roles}`,
      /roles\.planning\[0\] "one" is not a target/,
    ],
    [
      'a reader that is not a target',
      `targets: [{ id: one, protocol: ollama }]\nroles: { planning: [one], directives: [two] }`,
      /roles\.directives\[0\] "two" is not a target/,
    ],
    [
      'a provider without its target',
      `targets: [{ id: one, protocol: ollama }]\n${roles}\nproviders: [{ name: ollama, targets: [two] }]`,
      /providers\[0\]\.targets\[0\] "two" is not a target/,
    ],
    [
      'a provider that stands twice',
      `targets: [{ id: one, protocol: ollama }]\n${roles}\nproviders: [{ name: a, targets: [one] }, { name: a, targets: [one] }]`,
      /providers\[1\]\.name "a" stands twice/,
    ],
    [
      'a name that stands twice',
      `targets: [{ id: one, protocol: ollama }, { id: one, protocol: ollama }]\n${roles}`,
      /stands twice/,
    ],
    [
      'a price for one of the two',
      target('protocol: ollama, price: { input: 1 }'),
      /targets\[0\]\.price\.output is missing/,
    ],
    ['a budget of a month', `${target('protocol: ollama')}\nbudgets: { month: {} }`, /budgets\.month is not known/],
    ['a model without a default', target('protocol: anthropic'), /targets\[0\]\.model is missing/],
    [
      'a vendor as local',
      target('protocol: google, local: true'),
      /targets\[0\]\.local is true, but without a base_url/,
    ],
    ['a vendor where only local ones may be', `local_only: true\n${target('protocol: google')}`, /local_only is/],
    [
      'a key over http',
      target('protocol: openai, base_url: "http://models.example.org/v1", key_file: ROOT/key'),
      /the key would be sent unencrypted/,
    ],
    ['another address', target('protocol: openai, base_url: "ftp://models.example.org"'), /not an http or https URL/],
    [
      'an address with a password',
      target('protocol: openai, base_url: "https://a:b@models.example.org"'),
      /contains a user/,
    ],
    ['a key that is not there', target('protocol: google, key_file: ROOT/nothing'), /cannot be read/],
    ['a key in the work folder', target('protocol: google, key_file: ROOT/work/key'), /is in the work folder/],
    ['a key that all may write', target('protocol: google, key_file: ROOT/open'), /may be written by every user/],
    ['words for a key', target('protocol: google, key_file: ROOT/words'), /contains no key; its content is not shown/],
  ])('rejects %s', (_what, yaml, why) => {
    const message = problems(yaml);
    expect(message).toMatch(why);
    expect(message).toContain('FLEET_MODELS_FILE');
    expect(message).not.toContain('sk-secret');
  });
});
