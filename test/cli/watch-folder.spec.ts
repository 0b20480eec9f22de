import { createHash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { SessionRow } from '@fleet/contracts/sessions';
import { useFolder } from '@fleet/testing';
import { someReflections } from '../api/gateway-harness';
import { CliHarness, write } from './cli-harness';
import { runPhx, type Ran } from './scripted-terminal';

const nowhere = 'http://127.0.0.1:1';

describe('phx watch-folder', () => {
  let cli: CliHarness;
  let visit: string;
  const states = useFolder();
  let state: string;
  let end: AbortController;
  beforeEach(async () => {
    cli = await CliHarness.start();
    visit = join(cli.gateway.data, 'visit');
    state = join(states, 'one');
    end = new AbortController();
    dataset('x1');
    dataset('x2');
  });
  afterEach(async () => {
    // A watcher that a failed test has left behind.
    end.abort();
    await cli.stop();
  });

  const fileOf = (crystal: string): string => join(visit, crystal, 'final.sca');
  const dataset = (crystal: string, content = someReflections): void => write(fileOf(crystal), content);
  const watchAt = (server: string, ...args: readonly string[]): Promise<Ran> =>
    runPhx(
      ['--server', server, 'watch-folder', visit, '--pattern', '{crystal}/final.sca', '--proposal', 'mx1', ...args],
      {
        stateFolder: state,
      },
    );
  const once = (...args: readonly string[]): Promise<Ran> => watchAt(cli.url, '--once', '--settle', '0', ...args);
  const sessions = async (): Promise<readonly SessionRow[]> =>
    (await cli.gateway.store.index.list({ status: 'running' }, 100)).sessions;
  const titles = async (): Promise<readonly string[]> => (await sessions()).map(({ title }) => title).sort();
  const eventsOf = ({ out }: Ran): readonly string[] =>
    out
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' ').slice(1, 3).join(' ').replace(`${visit}/`, '').trim());
  const events = (ran: Ran): readonly string[] => eventsOf(ran).filter((line) => line !== '');
  const notes = (): readonly string[] => {
    const folder = join(state, 'phenix-fleet', 'watches');
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.includes('/datasets/') && name.endsWith('.json'))
      .map((name) => join(folder, name));
  };
  const noteOf = (crystal: string): string =>
    notes().find((path) => readFileSync(path, 'utf8').includes(`/${crystal}/`)) ?? '';

  it('submits each dataset once with the values from its path, and prints one line', async () => {
    const first = await once('--title', 'crystal {crystal}');
    expect([first.code, events(first)]).toEqual([0, ['submitted x1/final.sca:', 'submitted x2/final.sca:']]);
    expect(await titles()).toEqual(['crystal x1', 'crystal x2']);
    dataset('x3');
    expect(events(await once('--title', 'crystal {crystal}'))).toEqual(['submitted x3/final.sca:']);
    expect(events(await once('--title', 'crystal {crystal}'))).toEqual([]);
    expect(await titles()).toHaveLength(3);
  });

  it('waits until files are unchanged between two calls', async () => {
    expect(events(await watchAt(cli.url, '--once', '--settle', '0.2'))).toEqual([]);
    appendFileSync(fileOf('x2'), '\n');
    while (events(await watchAt(cli.url, '--once', '--settle', '0.2')).length === 0);
    while ((await sessions()).length < 2) await watchAt(cli.url, '--once', '--settle', '0.2');
    expect(await sessions()).toHaveLength(2);
  });

  it('waits for the required files of a dataset, and names the missing ones', async () => {
    const model = join(visit, 'models', '{crystal}.pdb');
    const ran = await once('--file', model, '--json');
    const lines = ran.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { event: string; reason: string });
    expect(lines).toEqual([
      expect.objectContaining({ event: 'waits', path: fileOf('x1'), reason: `for ${join(visit, 'models', 'x1.pdb')}` }),
      expect.objectContaining({ event: 'waits', path: fileOf('x2') }),
    ]);
    dataset('x1', '');
    expect((await once()).out).toContain('which is empty');
  });

  it.each(['SHA256SUMS', 'final.sca.sha256'])('compares with %s if present, and can require it', async (name) => {
    const digits = createHash('sha256').update(someReflections).digest('hex');
    write(join(visit, 'x1', name), `${digits}  final.sca\n`);
    write(join(visit, 'x2', name), `${'0'.repeat(64)} *final.sca\n`);
    const ran = await once();
    expect(events(ran)).toEqual(['submitted x1/final.sca:', 'waits x2/final.sca:']);
    expect(ran.out).toContain(`its checksum is ${digits}`);
    dataset('x3');
    expect(events(await once('--checksums', 'required'))).toEqual(['waits x2/final.sca:', 'waits x3/final.sca:']);
    expect(events(await once('--checksums', 'ignored'))).toEqual([
      'submitted x2/final.sca:',
      'submitted x3/final.sca:',
    ]);
  });

  it('reports a changed file once, and resubmits it on request', async () => {
    await once();
    utimesSync(fileOf('x1'), new Date(1), new Date(1));
    expect(events(await once())).toEqual([]);
    appendFileSync(fileOf('x1'), '\n');
    expect(events(await once())).toEqual(['changed x1/final.sca:']);
    expect(events(await once())).toEqual([]);
    expect(await sessions()).toHaveLength(2);
    appendFileSync(fileOf('x1'), '\n');
    expect(events(await once('--again'))).toEqual(['submitted x1/final.sca:']);
    expect([events(await once('--again')), (await sessions()).length]).toEqual([[], 3]);
  });

  it('records datasets while the gateway is away, and submits them afterwards', async () => {
    const away = await watchAt(nowhere, '--once', '--settle', '0');
    expect(events(away)).toEqual([`away ${nowhere}:`, 'pending x1/final.sca:', 'pending x2/final.sca:']);
    const keyOf = (crystal: string): unknown =>
      (JSON.parse(readFileSync(noteOf(crystal), 'utf8')) as { readonly key: string }).key;
    const keys = [keyOf('x1'), keyOf('x2')];
    // A file that changed meanwhile is submitted under the same key.
    appendFileSync(fileOf('x2'), '\n');
    expect(events(await watchAt(nowhere, '--once', '--settle', '0'))).toHaveLength(3);
    expect([keyOf('x1'), keyOf('x2')]).toEqual(keys);
    expect(events(await once())).toEqual(['submitted x1/final.sca:', 'submitted x2/final.sca:']);
    expect([events(await once()), (await sessions()).length]).toEqual([[], 2]);
  });

  it('continues where an earlier watcher was killed', async () => {
    await once();
    const note = JSON.parse(readFileSync(noteOf('x1'), 'utf8')) as { key: string };
    // Killed after it was sent and before that was noted, and then with notes lost as well.
    writeFileSync(noteOf('x1'), JSON.stringify({ ...note, state: 'pending', session: undefined }));
    expect(events(await once())).toEqual(['submitted x1/final.sca:']);
    expect(await sessions()).toHaveLength(2);
    rmSync(join(state, 'phenix-fleet'), { recursive: true });
    expect(events(await once())).toEqual(['submitted x1/final.sca:', 'submitted x2/final.sca:']);
    expect(await sessions()).toHaveLength(2);
  });

  it('keeps its state private, and rejects state that others can write', async () => {
    await once();
    const folder = join(state, 'phenix-fleet', 'watches');
    const [watch = ''] = readdirSync(folder).map((name) => join(folder, name));
    expect([statSync(watch).mode & 0o777, statSync(noteOf('x1')).mode & 0o777]).toEqual([0o700, 0o600]);
    writeFileSync(noteOf('x1'), '{"layout":1}');
    expect(await once()).toMatchObject({ code: 2, err: expect.stringContaining('.json') as string });
    chmodSync(watch, 0o777);
    expect(await once()).toMatchObject({ code: 2, err: expect.stringContaining('chmod 700') as string });
  });

  it('creates one session per dataset with two watchers, with shared or separate state', async () => {
    await Promise.all([once(), once()]);
    expect(await sessions()).toHaveLength(2);
    state = join(states, 'two');
    await Promise.all([once(), once()]);
    expect(await sessions()).toHaveLength(2);
    expect(events(await once('--name', 'for-another-purpose'))).toEqual([
      'submitted x1/final.sca:',
      'submitted x2/final.sca:',
    ]);
    expect(await sessions()).toHaveLength(4);
  });

  it('reports why a dataset is rejected, and submits it when the file has changed', async () => {
    dataset('x1', 'no reflections\n');
    const ran = await once();
    expect(events(ran)).toEqual(['refused x1/final.sca:', 'submitted x2/final.sca:']);
    expect(ran.out).toContain('files: there are neither reflections nor a map');
    expect(events(await once())).toEqual([]);
    dataset('x1');
    expect(events(await once())).toEqual(['submitted x1/final.sca:']);
  });

  it('checks repeatedly until it is stopped', async () => {
    let seen = '';
    const watching = runPhx(
      [
        '--server',
        cli.url,
        'watch-folder',
        visit,
        '--pattern',
        '{crystal}/final.sca',
        '--settle',
        '0',
        '--poll',
        '0.1',
      ],
      {
        stateFolder: state,
        interrupted: end.signal,
        onOut: (text) => {
          seen += text;
          if (seen.includes('x1/') && seen.includes('x2/') && !seen.includes('x3/')) dataset('x3');
          if (seen.includes('x3/')) end.abort();
        },
      },
    );
    const { code, out } = await watching;
    expect([code, out]).toEqual([0, expect.stringMatching(/ watching [^]* ended [^\n]*: stop requested\n$/)]);
    expect(await sessions()).toHaveLength(3);
  });

  it('reports wrong options before the first check', async () => {
    const refusals: readonly (readonly [readonly string[], string])[] = [
      [['--pattern', '/absolute/{x}'], 'must be relative to the folder'],
      [['--pattern', '../{x}'], 'has a part that is empty'],
      [['--pattern', 'plain.mtz'], 'names one file'],
      [['--settle', 'soon'], 'a number of seconds'],
      [['--proposal', '{visit}'], 'names {visit}'],
      [['--title', '{visit}'], 'variables.visit'],
      [['--name', '../x'], 'letters, digits'],
    ];
    for (const [args, words] of refusals)
      expect(await once(...args)).toMatchObject({ code: 2, err: expect.stringContaining(words) as string });
    await once('--name', 'mine');
    expect(await once('--name', 'mine', '--pattern', '{crystal}/other.sca')).toMatchObject({
      code: 2,
      err: expect.stringContaining('another --name') as string,
    });
  });

  it('continues after its folder was missing for a while', async () => {
    rmSync(visit, { recursive: true });
    expect(await once()).toMatchObject({ code: 2, err: expect.stringContaining('does not exist') as string });
  });
});
