import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BatchView } from '@fleet/contracts/batches';
import { useStarted } from '@fleet/testing';
import { CliHarness, write } from './cli-harness';
import { someReflections } from '../api/gateway-harness';
import type { Ran } from './scripted-terminal';

describe('phx batch', () => {
  let manifest: string;
  const cli = useStarted('test', () => CliHarness.start());
  beforeEach(() => {
    manifest = join(cli.gateway.data, 'manifest.csv');
    for (const name of ['x1', 'x2']) write(join(cli.gateway.data, `${name}.sca`), someReflections);
    writeFileSync(manifest, 'files,variables.crystal\nx1.sca,x1\nx2.sca,x2\n');
  });

  const batch = (...args: readonly string[]): Promise<Ran> => cli.phx(['batch', ...args]);
  const endAll = async (reason: 'converged' | 'infrastructure'): Promise<void> => {
    const { sessions } = await cli.gateway.store.index.list({ status: 'running' }, 100);
    for (const { id } of sessions) await cli.end(id, reason);
  };
  const idIn = ({ out }: Ran): string => /^batch +(\S+)/m.exec(out)?.[1] ?? '';

  it('submits a manifest, watches it to its end, and collects its results', async () => {
    const submitted = await batch(
      'submit',
      manifest,
      '--proposal',
      'mx1',
      '--row-title',
      'crystal {crystal}',
      '--set',
      'max_cycles=2',
    );
    expect([submitted.code, submitted.err]).toEqual([0, '2 rows added\n']);
    const id = idIn(submitted);
    const watching = batch('watch', id);
    while ((await cli.gateway.store.batches.load(id))?.states.accepted !== 2) await new Promise(setImmediate);
    await endAll('converged');
    const { code, out } = await watching;
    expect([code, out.trimEnd().split('\n').at(-1)]).toEqual([0, '2 rows; 0 sessions under way, 2 ended']);
    expect((await batch('results', id)).out).toMatch(/1 +\w+ +\S+ +crystal x1\n2 +\w+/);
    const csv = join(cli.gateway.root, 'hits.csv');
    expect((await batch('results', id, '--output', csv)).code).toBe(0);
    expect(readFileSync(csv, 'utf8')).toMatch(/^row,state,.*\r\n1,accepted,/);
    expect((await batch('results', id, '--csv')).out).toMatch(
      /^row,state,[^\r\\]*\n1,accepted,[^\r\\]*\n2,[^\r\\]*\n$/,
    );
    expect((await batch('list')).out).toContain(id);
    expect((await batch('show', id, '--rows')).out).toMatch(/1 +2 +accepted/);
  });

  it('continues with the same batch when the command is repeated', async () => {
    const first = idIn(await batch('submit', manifest));
    const again = await batch('submit', manifest);
    expect([idIn(again), again.err]).toEqual([first, '0 rows added; 2 already existed\n']);
    writeFileSync(manifest, 'files\nx1.sca\n');
    expect(idIn(await batch('submit', manifest))).not.toBe(first);
    expect((await batch('submit', manifest, '--batch', first)).err).toBe('1 row added\n');
  });

  it('reports duplicates, and skips them on request', async () => {
    const data = join(cli.gateway.data, 'x1.sca');
    const [first = ''] = (await cli.phx(['submit', data])).out.split('\n');
    const again = await cli.phx(['submit', data]);
    expect(again.out).toContain(`\nThe same was submitted before: session ${first} (running).\n`);
    writeFileSync(manifest, 'files,settings.max_cycles\nx1.sca,\nx1.sca,3\n');
    const id = idIn(await batch('submit', manifest, '--duplicates', 'skip'));
    while ((await cli.gateway.store.batches.load(id))?.states.waiting !== 0) await new Promise(setImmediate);
    const shown = (await batch('show', id, '--rows')).out;
    expect(shown).toMatch(/\n1 +2 +duplicate +duplicate of \S+\n2 +3 +accepted +\S+ +same data as /);
    expect(shown).toContain('2 rows, 1 duplicate; 1 session under way, 0 ended');
  });

  it.each(['', 'files\n'])('refuses a manifest without rows: %j', async (content) => {
    writeFileSync(manifest, content);
    const { code, err } = await batch('submit', manifest);
    expect([code, err]).toEqual([3, expect.stringContaining('manifest.csv has no rows, so nothing was submitted.')]);
    expect((await cli.gateway.store.batches.list({}, 1)).batches).toEqual([]);
  });

  it('names the problem of a rejected row among the results', async () => {
    writeFileSync(manifest, 'files\nx9.sca\n');
    const id = idIn(await batch('submit', manifest));
    while ((await cli.gateway.store.batches.load(id))?.states.rejected !== 1) await new Promise(setImmediate);
    expect((await batch('results', id)).out).toMatch(/\n1 +rejected +files\[0\]: .*x9\.sca" does not exist\n/);
  });

  it('makes no batch for a wrong header, and prints what is allowed once for problems with the same', async () => {
    writeFileSync(manifest, 'file,propsal\nx1.sca,mx1\n');
    const { code, err } = await batch('submit', manifest);
    expect((await cli.gateway.store.batches.list({}, 1)).batches).toEqual([]);
    expect([code, err.match(/^ {2}columns: .*did you mean/gm)?.length, err.match(/allowed:/g)?.length]).toEqual([
      3, 2, 1,
    ]);
  });

  it('checks a manifest without starting anything, and reports problems by line', async () => {
    writeFileSync(manifest, 'files\nx1.sca\nx9.sca\n');
    const { code, err } = await batch('submit', manifest, '--dry-run');
    expect(code).toBe(3);
    expect(err).toContain('row 2 (line 3):\n  files[0]: ');
    expect((await cli.gateway.store.index.list({}, 10)).sessions).toEqual([]);
  });

  it('reruns failed rows, pauses, resumes and cancels', async () => {
    const submitted = batch('submit', manifest, '--watch');
    while ((await cli.gateway.store.index.list({}, 10)).sessions.length < 2) await new Promise(setImmediate);
    await endAll('infrastructure');
    expect((await submitted).code).toBe(8);
    const { batches } = JSON.parse((await batch('list', '--json')).out) as { batches: readonly BatchView[] };
    const id = batches[0]?.id ?? '';
    expect((await batch('pause', id)).out).toContain('paused; ');
    expect((await batch('retry', id)).out).toBe('2 rows retried\n');
    expect((await batch('resume', id)).code).toBe(0);
    while ((await cli.gateway.store.batches.load(id))?.states.accepted !== 2) await new Promise(setImmediate);
    expect((await batch('cancel', id)).code).toBe(0);
    expect((await batch('resume', id)).code).toBe(3);
  });

  it('changes the priority of rows without a session, and reports unchanged rows', async () => {
    const submitted = await batch('submit', manifest, '--priority', 'backfill');
    expect(submitted.out).toMatch(/^priority +backfill$/m);
    const id = idIn(submitted);
    while ((await cli.gateway.store.batches.load(id))?.states.accepted !== 2) await new Promise(setImmediate);
    await batch('pause', id);
    writeFileSync(manifest, 'files,priority\nx1.sca,backfill\n');
    await batch('submit', manifest, '--batch', id);
    expect((await batch('priority', id, 'standard')).out).toBe(
      `${id}: priority standard for rows that start from now on: 1 so far; 2 rows are sessions already and keep theirs\n`,
    );
    expect((await batch('show', id)).out).toMatch(/^priority +standard, for rows that have not started$/m);
    expect(JSON.parse((await batch('priority', id, 'backfill', '--json')).out)).toMatchObject({ rows: 1, sessions: 2 });
    const refused = await batch('priority', id, 'live');
    expect([refused.code, refused.err]).toEqual([3, expect.stringContaining('this site does not allow') as string]);
    expect((await batch('submit', manifest, '--priority', 'live')).err).toContain('defaults.priority');
    expect((await batch('priority', id, 'urgent')).code).toBe(2);
    expect((await batch('priority', '00000000000000000000000000', 'backfill')).code).toBe(4);
  });

  it('reports missing arguments and unknown batches', async () => {
    expect((await batch('submit')).code).toBe(2);
    expect((await batch('submit', manifest, '--folder', '/data/{x}')).code).toBe(2);
    expect((await batch('submit', join(cli.gateway.data, 'x1.sca'))).err).toContain('--format csv, yaml or jsonl');
    expect((await batch('submit', 'nowhere.csv')).code).toBe(2);
    expect((await batch('show', '00000000000000000000000000')).code).toBe(4);
    const folder = await batch(
      'submit',
      '--folder',
      join(cli.gateway.data, '{crystal}.sca'),
      '--row-title',
      '{crystal}',
    );
    expect(folder.out).toMatch(/rows +2/);
  });
});
