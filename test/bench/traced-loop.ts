import { aNewSession, anEvent, aRequest } from '@fleet/testing';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startIdleProcess, type TestProcess } from '../loop/idle-process';
import { countOf, eventually, queues, startLoop, type Loop } from '../loop/loop-harness';
import { median } from './figures';

const SESSIONS = 60;
const work = { cycles: 5, maxWorkMs: 0, stillRunning: 0, dueInMs: 60_000 };
const ROUNDS = 11;
/** Rounds that are not counted: the compiler is at work in them. */
const WARM_UP = 5;
/** Longer than spans wait until they are sent. */
const SENT_WITHIN_MS = 1_500;

/** Ticks of CPU that a process took so far. */
const cpuOf = ({ child }: TestProcess): number => {
  const columns =
    readFileSync(`/proc/${String(child.pid)}/stat`, 'utf8')
      .split(') ')
      .at(-1)
      ?.split(' ') ?? [];
  return Number(columns[11]) + Number(columns[12]);
};

const aTrace = (): string => `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`;

/** A worker of each queue whose steps do nothing, over a Redis of its own. */
class Crew {
  private constructor(
    private readonly loop: Loop,
    private readonly workers: readonly TestProcess[],
  ) {}

  static async start(env: Readonly<Record<string, string>>): Promise<Crew> {
    const loop = await startLoop();
    const workers = queues.map((queue) => startIdleProcess(queue, work, { ...loop.env, ...env }));
    await Promise.all(workers.map(({ ready }) => ready));
    return new Crew(loop, workers);
  }

  /** Ticks of CPU for some sessions, until their last spans are sent. Each session is of a trace that is kept, where one is. */
  async round(): Promise<number> {
    const { store } = this.loop;
    const before = this.cpu();
    for (let index = 0; index < SESSIONS; index += 1) {
      const session = aNewSession({ request: aRequest({ traceparent: aTrace() }) });
      await store.records.create(session, [anEvent({ type: 'session_submitted' })], 1);
    }
    await eventually(
      () => countOf(store, 'running'),
      (running) => running === 0,
    );
    await sleep(SENT_WITHIN_MS);
    return this.cpu() - before;
  }

  async stop(): Promise<void> {
    for (const { child } of this.workers) child.kill('SIGKILL');
    await Promise.all(this.workers.map(({ ended }) => ended));
    await this.loop.end();
  }

  private cpu(): number {
    return this.workers.reduce((sum, worker) => sum + cpuOf(worker), 0);
  }
}

/**
 * CPU of workers that send spans over that of workers that do not, whose steps do nothing: the most that tracing can be of their work.
 * Rounds of both in turn, each of them first in every other pair; the median of the paired ratios.
 */
export const costOfTracing = async (endpoint: string): Promise<number> => {
  const plain = await Crew.start({});
  const traced = await Crew.start({ FLEET_TRACING_ENDPOINT: endpoint });
  try {
    const ratios: number[] = [];
    for (let round = 1 - WARM_UP; round <= ROUNDS; round += 1) {
      const early = round % 2 === 0 ? undefined : await plain.round();
      const own = await traced.round();
      const ratio = own / (early ?? (await plain.round()));
      if (round > 0) ratios.push(ratio);
    }
    return median(ratios);
  } finally {
    await plain.stop();
    await traced.stop();
  }
};
