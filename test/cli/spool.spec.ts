import {
  appendFileSync,
  chmodSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { someReflections } from '../api/gateway-harness';
import { CliHarness, write } from './cli-harness';
import { runPhx, type Ran } from './scripted-terminal';

const nowhere = 'http://127.0.0.1:1';

describe('phx spool', () => {
  let cli: CliHarness;
  let data: string;
  let state: string;
  beforeEach(async () => {
    cli = await CliHarness.start();
    data = join(cli.gateway.data, 'x1.sca');
    write(data, someReflections);
    state = realpathSync(mkdtempSync(join(tmpdir(), 'phx-state-')));
  });
  afterEach(async () => {
    await cli.stop();
    rmSync(state, { recursive: true });
  });

  const spoolFolder = (): string => join(state, 'phenix-fleet', 'spool');
  const waiting = (): readonly string[] => readdirSync(spoolFolder()).filter((name) => name.endsWith('.json'));
  const at = (server: string, ...args: readonly string[]): Promise<Ran> =>
    runPhx(['--server', server, ...args], { stateFolder: state });
  const sessionCount = async (): Promise<number> =>
    (await cli.gateway.store.index.list({ status: 'running' }, 100)).sessions.length;
  /** The entry of a submission that was kept while the gateway was away, as if it had been for the one that answers. */
  const keptForGateway = async (...args: readonly string[]): Promise<string> => {
    const { out } = await at(nowhere, '--json', 'submit', data, '--proposal', 'mx1', '--spool', ...args);
    const { spooled } = JSON.parse(out) as { spooled: string };
    const path = join(spoolFolder(), `${spooled}.json`);
    const entry: unknown = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, JSON.stringify({ ...(entry as object), server: cli.url }));
    return spooled;
  };

  it('keeps a submission whose gateway is away, for its owner alone, and sends it once', async () => {
    const away = await at(nowhere, 'submit', data, '--spool');
    expect([away.code, away.err]).toEqual([0, expect.stringContaining('cannot be reached')]);
    expect(away.out).toMatch(/Kept in the spool as \S+; nothing runs yet/);
    expect([
      statSync(spoolFolder()).mode & 0o777,
      statSync(join(spoolFolder(), waiting()[0] ?? '')).mode & 0o777,
    ]).toEqual([0o700, 0o600]);
    expect((await at(nowhere, 'spool', 'send')).code).toBe(5);
    const id = await keptForGateway();
    const sent = await at(cli.url, 'spool', 'send');
    expect([sent.code, sent.out]).toEqual([0, expect.stringMatching(new RegExp(`^${id} was sent: session \\S+\n$`))]);
    expect((await at(cli.url, 'spool', 'send')).out).toBe(`Nothing waits for ${cli.url}.\n`);
    expect([await sessionCount(), waiting()]).toEqual([1, [expect.any(String)]]);
  });

  it('submits as ever where the gateway answers, and keeps nothing', async () => {
    const { code, out } = await at(cli.url, 'submit', data, '--spool');
    expect([code, out]).toEqual([0, expect.stringContaining('Watch it with: phx watch')]);
    expect(waiting()).toEqual([]);
    expect((await at(cli.url, 'submit', join(cli.gateway.data, 'missing.mtz'), '--spool')).code).toBe(3);
    expect(waiting()).toEqual([]);
  });

  it('makes no second session where only the answer was lost', async () => {
    const id = await keptForGateway();
    const path = join(spoolFolder(), `${id}.json`);
    const entry = readFileSync(path);
    expect((await at(cli.url, 'spool', 'send')).code).toBe(0);
    // As if the process had been killed before it removed the file.
    writeFileSync(path, entry);
    expect((await at(cli.url, 'spool', 'send')).code).toBe(0);
    expect([await sessionCount(), waiting()]).toEqual([1, []]);
  });

  it('tells of files that are others now, and sends them only when it is told to', async () => {
    const id = await keptForGateway();
    appendFileSync(data, '\n');
    const { code, out } = await at(cli.url, 'spool', 'send');
    expect([code, out]).toEqual([
      3,
      expect.stringContaining(`${id} was not sent, for its files are others now: ${data} had`),
    ]);
    expect((await at(cli.url, 'spool', 'list')).out).toContain(`${id} is not sent: ${data} had`);
    expect((await at(cli.url, 'spool', 'send', id, '--as-they-are')).code).toBe(0);
    expect(await sessionCount()).toBe(1);
  });

  it('keeps apart what is refused for good, with the reason, and forgets what it is told to', async () => {
    const id = await keptForGateway('--set', 'max_cycles=0');
    const sent = await at(cli.url, 'spool', 'send');
    expect([sent.code, sent.out]).toEqual([3, expect.stringContaining(`${id} was refused and is kept apart`)]);
    expect(waiting()).toEqual([]);
    const { out } = await at(cli.url, 'spool', 'list');
    expect(out).toMatch(/was refused \(.*x1\.sca\): .*\n {2}settings\.max_cycles: /);
    expect((await at(cli.url, 'spool', 'send')).out).toContain('Nothing waits');
    expect((await at(cli.url, 'spool', 'drop', id)).code).toBe(0);
    expect((await at(cli.url, 'spool', 'list')).out).toContain('Nothing is kept');
    expect((await at(cli.url, 'spool', 'drop', id)).code).toBe(4);
  });

  it('sends nothing that others could have put there, and says what it cannot read', async () => {
    await keptForGateway();
    writeFileSync(join(spoolFolder(), 'zz.json'), '{"layout":1}');
    expect(await at(cli.url, 'spool', 'send')).toMatchObject({
      code: 2,
      err: expect.stringContaining('zz.json') as string,
    });
    chmodSync(spoolFolder(), 0o777);
    expect(await at(cli.url, 'spool', 'send')).toMatchObject({
      code: 2,
      err: expect.stringContaining('chmod 700') as string,
    });
    expect(await sessionCount()).toBe(0);
  });

  it('is for one gateway: an entry of another one is not sent here', async () => {
    await at(nowhere, 'submit', data, '--spool');
    const [name = ''] = waiting();
    expect((await at(cli.url, 'spool', 'send')).out).toContain('Nothing waits');
    const { code, err } = await at(cli.url, 'spool', 'send', name.replace('.json', ''));
    expect([code, err]).toEqual([2, expect.stringContaining(`is for ${nowhere}`)]);
  });

  it('keeps what it cannot see from here, for the gateway may', async () => {
    const { out } = await at(nowhere, 'submit', '/not/on/this/machine.mtz', '--spool');
    expect(out).toContain('Kept in the spool');
    expect((await at(nowhere, 'spool', 'list')).out).toContain('/not/on/this/machine.mtz');
  });
});
