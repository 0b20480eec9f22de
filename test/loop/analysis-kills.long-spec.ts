// @needs linux
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attemptFiles, attemptFolder, cycleFolder } from '@fleet/contracts/runs';
import type { CycleRecord, CycleResult } from '@fleet/contracts/sessions';
import { aDecision, aRequest, anAttempt, anId } from '@fleet/testing';
import { GatewayGround, preloaded } from './gateway-ground';
import { startScript, type TestProcess } from './idle-process';
import { eventually, startLoop, type Loop } from './loop-harness';

const MEBIBYTE = 2 ** 20;
/** Where the worker is stopped: in the middle of the log. */
const HALF = 8 * MEBIBYTE;

/** A refinement as its log tells of it: R values at its beginning, and in its last lines, with much between them. */
const log = (): string => {
  const line = 'nothing that anybody looks for, as most lines of a log are\n';
  return [
    'Start R-work = 0.3100, R-free = 0.3500\n',
    line.repeat((2 * HALF) / line.length),
    'Final R-work = 0.2010, R-free = 0.2440\n',
  ].join('');
};

describe('a worker that is killed in the middle of a log', () => {
  let loop: Loop;
  let ground: GatewayGround;
  const started: TestProcess[] = [];
  const worker = (env: Readonly<Record<string, string>> = {}): TestProcess => {
    const process = startScript('apps/log-analysis-worker/src/main.ts', [], {
      ...ground.env,
      FLEET_SWEEP_INTERVAL_MS: '200',
      FLEET_STEP_LOCK_MS: '2000',
      ...env,
    });
    started.push(process);
    return process;
  };
  beforeEach(async () => {
    loop = await startLoop();
    ground = new GatewayGround(loop.at);
    await loop.store.catalogues.publish({ backend: 'local', probedAt: new Date().toISOString(), programs: [] });
  });
  afterEach(async () => {
    for (const { child } of started) child.kill('SIGKILL');
    await Promise.all(started.map(({ ended }) => ended));
    await loop.end();
    ground.dispose();
  });

  /** A session whose program has ended and left its log. */
  const ended = async (): Promise<string> => {
    const id = anId();
    const folder = join(ground.workRoot, 'mx1', id);
    const decision = aDecision({ program: 'phenix.refine', inputs: [] });
    const record: CycleRecord = { cycle: 1, decision, attempts: [anAttempt()] };
    const run = join(folder, attemptFolder(cycleFolder(1, decision.program), 1));
    mkdirSync(run, { recursive: true });
    writeFileSync(join(run, attemptFiles.log), log());
    const resume = { status: 'running', stage: 'analysing', cycle: 1, attempt: 1, cycles: [record] } as const;
    const createdAt = new Date().toISOString();
    await loop.store.records.create({ id, folder, request: aRequest(), createdAt, resume }, [], 2_000);
    return id;
  };

  const result = async (id: string): Promise<CycleResult> => {
    const session = await eventually(
      () => loop.store.records.load(id),
      (found) => found?.cycles[0]?.result !== undefined,
    );
    const found = session?.cycles[0]?.result;
    if (found === undefined) throw new Error('there is no result');
    return { ...found, analysedAt: '' };
  };

  it('leaves the analysis to another worker, which records the same result once', async () => {
    const id = await ended();
    const dying = worker(preloaded('stand-still.mjs', { at: 'log', bytes: HALF }));
    await eventually(
      () => Promise.resolve(dying.lines),
      (lines) => lines.includes('stands still at log'),
    );
    dying.child.kill('SIGKILL');
    await dying.ended;
    await expect(loop.store.records.load(id)).resolves.toMatchObject({ stage: 'analysing', version: 1 });
    worker();
    const found = await result(id);
    expect(found.metrics.map(({ name, value }) => [name, value])).toEqual(
      expect.arrayContaining([
        ['r_work', 0.201],
        ['r_free', 0.244],
      ]),
    );
    // An undisturbed session.
    expect(found).toEqual(await result(await ended()));
    const events = await loop.store.events.after(id, '0', 100);
    expect(events.filter(({ type }) => type === 'cycle_complete')).toHaveLength(1);
    await expect(loop.store.events.transitions(id)).resolves.toHaveLength(1);
  });
});
