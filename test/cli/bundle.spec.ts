import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { useFolder, useStarted } from '@fleet/testing';
import { redacted, redactedText } from '../../apps/cli/src/bundle/redacted';
import { CliHarness } from './cli-harness';
import { runPhx } from './scripted-terminal';

const key = `phx_0123456789abcdef_${'A1b2C3d4-_'.repeat(4)}abc`;

describe('a support bundle', () => {
  let id: string;
  const folder = useFolder();
  const file = join(folder, 'bundle.json.gz');
  const cli = useStarted('test', () => CliHarness.start());
  beforeEach(async () => {
    id = await cli.aStored();
    mkdirSync(dirname(cli.logOf(id)), { recursive: true });
    writeFileSync(
      cli.logOf(id),
      `${'x'.repeat(300 * 1024)}\nread from redis://:hunter2@redis:6379 with ${key}\nthe end\n`,
    );
    await cli.runCycle(id);
  });

  /** Without a gateway. */
  const shown = (...args: readonly string[]) => runPhx(['--server', 'http://127.0.0.1:1', 'bundle', 'show', ...args]);

  it('of a session contains record, events and log ends without secrets, and can be read offline', async () => {
    const made = await cli.phx(['admin', 'bundle', id.slice(0, 20), '--output', file]);
    expect([made.code, made.out]).toEqual([0, expect.stringContaining('bundle.json.gz\n')]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const held = gunzipSync(readFileSync(file)).toString();
    expect(held).not.toMatch(/hunter2|phx_0123/);
    expect(held.length).toBeLessThan(600 * 1024);
    const { code, out, err } = await shown(file);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain(`${id}, 20`);
    for (const part of ['session', 'events', 'trace', 'doctor', 'steps', 'programs', 'log-c001-a1'])
      expect(out).toMatch(new RegExp(`^${part} +\\d+$`, 'm'));
    expect(out).toContain('a dataset');
    const log = (await shown(file, '--part', 'log-c001-a1')).out;
    expect(log).toContain('read from redis://[login removed]@redis:6379 with [key removed]\nthe end\n');
    expect(JSON.parse((await shown(file, '--part', 'session')).out)).toMatchObject({ id, status: 'running' });
    expect((await shown(file, '--part', 'nothing')).code).toBe(4);
  });

  it('contains the ends of the given service logs, without secrets and without secrets cut in two', async () => {
    const logs = join(folder, 'logs');
    mkdirSync(join(logs, 'deeper'), { recursive: true });
    symlinkSync(join(logs, 'gone'), join(logs, 'left behind'));
    writeFileSync(join(logs, 'gateway.log'), `started with REDIS_PASSWORD=hunter2\nready\n`);
    const long = `password=${'hunter2'.repeat(160_000)}\nMIIEkeyline\n-----END PRIVATE KEY-----\nit continued\n`;
    writeFileSync(join(logs, 'executor.log'), long);
    writeFileSync(join(logs, 'packed.gz'), gzipSync('x'.repeat(1000)));
    const other = join(folder, 'journal.txt');
    writeFileSync(other, 'from elsewhere\n');
    const made = await cli.phx(['admin', 'bundle', '--logs', logs, '--logs', other, '--output', file]);
    expect([made.code, made.out]).toEqual([0, expect.stringContaining('missing: service-log packed.gz: ')]);
    expect(gunzipSync(readFileSync(file)).toString()).not.toMatch(/hunter2|MIIEkeyline/);
    const part = async (name: string) => (await shown(file, '--part', `service-log ${name}`)).out.trimEnd();
    expect(await part('gateway.log')).toBe('started with REDIS_PASSWORD=[removed]\nready');
    expect(await part('executor.log')).toBe('[earlier lines are not in this bundle]\n\nit continued');
    expect(await part('journal.txt')).toBe('from elsewhere');
    expect((await shown(file)).out).not.toContain('deeper');
  });

  it('contains the newest fifty logs', async () => {
    const logs = join(folder, 'many');
    mkdirSync(logs);
    for (let number = 0; number < 60; number += 1) {
      const path = join(logs, `${String(number).padStart(2, '0')}.log`);
      writeFileSync(path, 'x\n');
      utimesSync(path, number, number);
    }
    await cli.phx(['admin', 'bundle', '--logs', logs, '--output', file]);
    const { out } = await shown(file);
    expect(out.match(/^service-log /gm)).toHaveLength(50);
    expect(out).toContain('service-log 10.log');
    expect(out).not.toContain('service-log 09.log');
  });

  it.each(['nowhere', 'empty'])('is not written if there are no logs (%s)', async (name) => {
    mkdirSync(join(folder, 'empty'));
    const made = await cli.phx(['admin', 'bundle', '--logs', join(folder, name), '--output', file]);
    expect([made.code, made.err]).toEqual([2, expect.stringContaining(name)]);
    expect(existsSync(file)).toBe(false);
  });

  it('omits the cut line of a program’s log', async () => {
    writeFileSync(cli.logOf(id), `api_key: ${'hunter2'.repeat(50_000)}\nthe end\n`);
    await cli.phx(['admin', 'bundle', id, '--output', file]);
    expect((await shown(file, '--part', 'log-c001-a1')).out.trimEnd()).toBe(
      '[earlier lines are not in this bundle]\nthe end',
    );
    expect(gunzipSync(readFileSync(file)).toString()).not.toContain('hunter2');
  });

  it('of the fleet lists missing parts, and is still written', async () => {
    const off = await CliHarness.start({ options: { adminApi: false } });
    const made = await off.phx(['admin', 'bundle', '--output', file]);
    await off.stop();
    expect([made.code, made.out]).toEqual([0, expect.stringContaining('missing: doctor: ')]);
    const { out } = await shown(file);
    expect(out).toMatch(/^the fleet, 20/);
    expect(out).toMatch(/^doctor +- +missing: /m);
    expect(out).toMatch(/^programs +\d+$/m);
  });

  it('overwrites no file, and is not written without a gateway or session', async () => {
    writeFileSync(file, 'mine');
    expect((await cli.phx(['admin', 'bundle', '--output', file])).code).toBe(2);
    expect(readFileSync(file, 'utf8')).toBe('mine');
    expect((await cli.phx(['admin', 'bundle', 'nobody-called-so'])).code).toBe(4);
    expect((await runPhx(['--server', 'http://127.0.0.1:1', 'admin', 'bundle'])).code).toBe(5);
  });

  it.each([
    ['text', 'text'],
    ['JSON of another kind', gzipSync('{"a":1}')],
    ['a bundle cut short', gzipSync(JSON.stringify({ bundle: 'phenix-fleet', layout: 1 })).subarray(0, 20)],
    ['a newer bundle', gzipSync(JSON.stringify({ bundle: 'phenix-fleet', layout: 2, release: '9.0.0', parts: {} }))],
  ])('is not %s', async (_, content) => {
    writeFileSync(file, content);
    const { code, err } = await shown(file);
    expect([code, err]).toEqual([2, expect.stringContaining('bundle.json.gz')]);
  });
});

describe('what is redacted', () => {
  it.each([
    [`the key ${key}.`, 'the key [key removed].'],
    ['Authorization: Bearer abc.def-ghi', 'Authorization: Bearer [token removed]'],
    ['rediss://ada:pw@host/1 and https://host/a@b', 'rediss://[login removed]@host/1 and https://host/a@b'],
    ['smtp password=hunter2, retried', 'smtp password=[removed], retried'],
    ['"api_key": "sk-123"', '"api_key": "[removed]"'],
    ['REDIS_PASSWORD=hunter2 next', 'REDIS_PASSWORD=[removed] next'],
    ['export OPENAI_API_KEY=abc', 'export OPENAI_API_KEY=[removed]'],
    ['AWS_SECRET_ACCESS_KEY: abc/def+g', 'AWS_SECRET_ACCESS_KEY: [removed]'],
    ['?client_secret=abc&access_token=def', '?client_secret=[removed]&access_token=[removed]'],
    [String.raw`{\"password\":\"x\",\"n\":1}`, String.raw`{\"password\":\"[removed]\",\"n\":1}`],
    [String.raw`{"clientSecret":"two words, \"quoted\"","n":1}`, '{"clientSecret":"[removed]","n":1}'],
    ["password: 'two words' n", "password: '[removed]' n"],
    ['with sk-proj-0123456789abcdefghij.', 'with [key removed].'],
    [String.raw`a\nsk-0123456789abcdefghij`, String.raw`a\n[key removed]`],
    ['task-of-a-long-name disk-0123456789abcdef', 'task-of-a-long-name disk-0123456789abcdef'],
    ['redis://:p@ss@w0rd@redis:6379/0', 'redis://[login removed]@redis:6379/0'],
    ['Authorization: Basic dTpw, x', 'Authorization: [removed]'],
    ['Cookie: a=b; c=d\nnext', 'Cookie: [removed]\nnext'],
    [`x_${key}`, 'x_[key removed]'],
    ['a\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc=\n-----END RSA PRIVATE KEY-----\nb', 'a\n[private key removed]\nb'],
    ['-----BEGIN PRIVATE KEY-----\\nMIIE', '[private key removed]'],
    ['-----BEGIN OUTPUT-----\nkept', '-----BEGIN OUTPUT-----\nkept'],
    ['R-free 0.21 of /data/mx1/token.mtz', 'R-free 0.21 of /data/mx1/token.mtz'],
  ])('in %s', (text, expected) => {
    expect(redactedText(text)).toBe(expected);
  });

  it.each([
    'eyJ-',
    'eyJ_',
    'eyJaaaaaaaa.',
    'token ',
    'token="',
    String.raw`token=\"`,
    'token=',
    'cookie=',
    'Bearer ',
    '://a',
    'a://',
    '@',
    'sk-',
    'phx_0123456789abcdef_',
    '-----BEGIN ',
    '-----BEGIN PRIVATE KEY-----',
    '\\',
    ' ',
  ])('in a long line of %j, soon', (part) => {
    const started = performance.now();
    redactedText(part.repeat(1_000_000 / part.length));
    expect(performance.now() - started).toBeLessThan(60_000);
  });

  it('by field name, at any depth', () => {
    const original = { a: [{ secret: 'x', n: 1 }], token: { kept: 'y' }, none: null, monkey: 'kept' };
    expect(redacted({ ...original, clientSecret: 'x', access_token: 'x', 'x-api-key': 'x', key: 'x' })).toEqual({
      ...original,
      a: [{ secret: '[removed]', n: 1 }],
      clientSecret: '[removed]',
      access_token: '[removed]',
      'x-api-key': '[removed]',
      key: '[removed]',
    });
  });
});
