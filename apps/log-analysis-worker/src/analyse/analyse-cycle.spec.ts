import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ProgramCatalogue } from '@fleet/contracts/service';
import type { AttemptEnding, CycleRecord, Session, SessionHead } from '@fleet/contracts/sessions';
import { loadRuleBook } from '@fleet/knowledge';
import { SessionFolder } from '@fleet/session-folder';
import { runStep } from '@fleet/steps';
import {
  aCycle,
  aDecision,
  anAttempt,
  anId,
  aRequest,
  aResult,
  ManualClock,
  useStores,
  useFolder,
  dataFile,
  modelFile,
} from '@fleet/testing';
import { AnalyseCycle } from './analyse-cycle';
import { OutputCollector } from './output-collector';
import { inspector as realInspector } from '../../../../test/support/inspector';

const newStore = useStores();

const root = useFolder();
const ruleBook = loadRuleBook('knowledge');

const catalogue: ProgramCatalogue = {
  backend: 'local',
  probedAt: '2026-11-21T08:00:00.000Z',
  programs: ['phenix.xtriage', 'phenix.refine', 'phenix.model_vs_data', 'phenix.molprobity', 'phenix.polder'].map(
    (program) => ({
      program,
      provider: 'open-phenix',
      version: '1',
      command: [program],
    }),
  ),
};

const inputs = [dataFile({ highResolution: 2 }), modelFile()];

const atom = 'ATOM      1  CA  ALA A   1      10.000  10.000  10.000  1.00 20.00           C\n';

interface Scene {
  readonly program: string;
  readonly log?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly ending?: Partial<AttemptEnding>;
  readonly before?: readonly CycleRecord[];
}

const world = async ({ program, log, files = {}, ending = {}, before = [] }: Scene) => {
  const clock = new ManualClock();
  const store = newStore(clock);
  const folder = new SessionFolder(root);
  const id = anId();
  const home = join(root, 'mx1', id);
  const cycle = before.length + 1;
  const attempt = anAttempt({ ending: { ...anAttempt().ending!, ...ending } });
  const record: CycleRecord = {
    cycle,
    decision: aDecision({ program, inputs: [{ slot: 'model', path: '/data/model.pdb' }] }),
    attempts: [attempt],
  };
  await store.records.create(
    {
      id,
      folder: home,
      request: aRequest({ inputs }),
      createdAt: '2026-11-21T08:00:00.000Z',
      resume: { status: 'running', stage: 'analysing', cycle, attempt: 1, cycles: [...before, record] },
    },
    [],
    1000,
  );
  const run = dirname(folder.logPath({ folder: home }, record, 1)).replace(/\.running$/, '');
  if (log !== undefined || Object.keys(files).length > 0) mkdirSync(run, { recursive: true });
  if (log !== undefined) writeFileSync(join(run, 'program.log'), log);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(run, name), content);
  await store.catalogues.publish(catalogue);
  const woken: string[] = [];
  const analyse = new AnalyseCycle({
    records: store.records,
    catalogues: store.catalogues,
    folder,
    clock,
    ruleBook,
    backend: 'local',
    maxLogBytes: 1_000_000,
    outputs: new OutputCollector(realInspector),
  });
  const waker = {
    wake: ({ status, stage, cycle: at }: SessionHead) => Promise.resolve(void woken.push(`${status} ${stage} ${at}`)),
  };
  const nobody = { error: (entry: unknown) => woken.push(JSON.stringify(entry)) };
  const { records, schedule } = store;
  const ports = { records, schedule, waker, clock, log: nobody };
  const version = (await store.records.load(id))!.version;
  const step = () => runStep(ports, analyse, { sessionId: id, sessionVersion: version });
  const load = async (): Promise<Session> => (await store.records.load(id))!;
  const events = async () => (await store.events.after(id, '0', 100)).map(({ type, message }) => `${type}: ${message}`);
  const resultOf = async () => (await load()).cycles.at(-1)!.result!;
  return { id, home, run, store, step, load, events, woken, resultOf };
};

const refined =
  'Resolution range: 20.0 2.0\nStart R-work = 0.3500, R-free = 0.3600\nFinal R-work = 0.2800, R-free = 0.3100\n';

/** One cycle less than the limit. */
const manyCycles = (): readonly CycleRecord[] =>
  Array.from({ length: 19 }, (_, index) =>
    aCycle({ cycle: index + 1, decision: aDecision({ program: 'phenix.model_vs_data' }), result: aResult() }),
  );

describe('a successful run', () => {
  it('gets its metrics, files and events, and the session continues', async () => {
    const scene = await world({
      program: 'phenix.refine',
      log: refined,
      files: { 'refine_001_001.pdb': atom, 'note.txt': 'x' },
    });
    expect(await scene.step()).toEqual({ outcome: 'advanced' });
    const result = await scene.resultOf();
    expect(result).toMatchObject({
      outcome: 'success',
      errorLines: [],
      summary: 'R-free 0.3100, R-work 0.2800, R-work at the start 0.3500, R-free at the start 0.3600',
    });
    expect(result.outputs.map(({ path, program, cycle }) => [path, program, cycle])).toEqual([
      [join(scene.run, 'refine_001_001.pdb'), 'phenix.refine', 1],
      [join(scene.run, 'note.txt'), 'phenix.refine', 1],
    ]);
    expect(await scene.load()).toMatchObject({ status: 'running', stage: 'deciding', cycle: 2, attempt: 1 });
    const fit = { metric: 'r_free', value: 0.31, resolution: 2 };
    expect((await scene.store.index.list({}, 1)).sessions).toMatchObject([{ fit }]);
    expect(scene.woken).toEqual(['running deciding 2']);
    expect((await scene.events()).map((line) => line.split(':')[0])).toEqual([
      'metrics_extracted',
      'cycle_complete',
      'stop_decision',
    ]);
  });

  it('is compared with the previous one of the same program', async () => {
    const first = await world({ program: 'phenix.refine', log: refined, files: { 'refine_001_001.pdb': atom } });
    await first.step();
    const before = (await first.load()).cycles;
    const log = 'Final R-work = 0.2500, R-free = 0.2800\n';
    const scene = await world({ program: 'phenix.refine', log, files: { 'refine_002_001.pdb': atom }, before });
    await scene.step();
    expect(await scene.events()).toContain('metrics_trend: R-free 0.3100 ↓ 0.2800 (better)');
  });
});

describe('a repeated step', () => {
  it('changes neither the record nor the events', async () => {
    const scene = await world({ program: 'phenix.refine', log: refined, files: { 'refine_001_001.pdb': atom } });
    await scene.step();
    const [session, events] = [await scene.load(), await scene.events()];
    expect(await scene.step()).toEqual({ outcome: 'stale' });
    expect([await scene.load(), await scene.events()]).toEqual([session, events]);
  });
});

describe('a run that failed', () => {
  it.each<[string, Scene, RegExp]>([
    [
      'by its exit code',
      {
        program: 'phenix.refine',
        log: 'Sorry: Crystal symmetry mismatch between different files.\n',
        ending: { exitCode: 1 },
      },
      /unit cells or space groups/,
    ],
    [
      'by a word in its last lines',
      { program: 'phenix.refine', log: 'FATAL: it broke\n', files: { 'refine_001_001.pdb': atom } },
      /it broke/,
    ],
    [
      'by a limit',
      {
        program: 'phenix.refine',
        log: 'x\n',
        ending: { kind: 'wall_clock_limit', message: 'ended after 1 s, its limit' },
      },
      /its limit/,
    ],
    [
      'by a signal',
      { program: 'phenix.refine', ending: { kind: 'signalled', signal: 'SIGSEGV', message: 'ended by SIGSEGV' } },
      /SIGSEGV/,
    ],
    ['by leaving nothing', { program: 'phenix.refine', log: 'done\n' }, /left no refined model/],
    [
      'by printing nothing and leaving nothing',
      { program: 'phenix.refine', log: '' },
      /printed nothing and left no refined model/,
    ],
    [
      'without ever having had a folder',
      { program: 'phenix.refine', ending: { kind: 'not_started', message: 'phenix.refine: not installed.' } },
      /not installed/,
    ],
  ])('reports a failure: %s', async (_, scene, summary) => {
    const { step, resultOf, events } = await world(scene);
    await step();
    expect(await resultOf()).toMatchObject({ outcome: 'failed', summary: expect.stringMatching(summary) as string });
    expect((await events()).some((line) => line.startsWith('error: phenix.refine failed'))).toBe(true);
  });
});

it('leaves out a damaged file with a warning', async () => {
  const scene = await world({
    program: 'phenix.refine',
    log: refined,
    files: { 'refine_001_001.pdb': atom, 'refine_001_001.mtz': 'no mtz' },
  });
  await scene.step();
  expect((await scene.resultOf()).outputs.map(({ path }) => path)).toEqual([join(scene.run, 'refine_001_001.pdb')]);
  expect((await scene.events()).find((line) => line.startsWith('warning'))).toMatch(
    /refine_001_001\.mtz.*does not begin as an MTZ/,
  );
});

it('waits for the list of programs, because a stop cannot be judged without it', async () => {
  const scene = await world({ program: 'phenix.refine', log: refined });
  jest.spyOn(scene.store.catalogues, 'of').mockResolvedValue(undefined);
  await expect(scene.step()).rejects.toMatchObject({ code: 'programs.not_published', kind: 'transient' });
  expect((await scene.load()).stage).toBe('analysing');
});

it('ends a session that has reached its limit of cycles', async () => {
  const scene = await world({
    program: 'phenix.refine',
    log: refined,
    files: { 'refine_001_001.pdb': atom },
    before: manyCycles(),
  });
  await scene.step();
  const session = await scene.load();
  expect([session.status, session.stop?.reason]).toEqual(['failed', 'max_cycles']);
  expect((await scene.events()).slice(-2).map((line) => line.split(':')[0])).toEqual([
    'stop_decision',
    'session_ended',
  ]);
  expect(scene.woken).toEqual([]);
});
