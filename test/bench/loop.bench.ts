import { Queues } from '@fleet/contracts/queues';
import { SESSION_INDEX, SESSION_RECORDS, type NewSession, type SessionIndex, type SessionRecords } from '@fleet/ports';
import { WakeUps } from '@fleet/queue';
import { aNewSession, anEvent, startPostgres, startRedis, type PostgresServer, type RedisServer } from '@fleet/testing';
import { Logger, type INestApplicationContext } from '@nestjs/common';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { startIdleProcess, startScript, type TestProcess } from '../loop/idle-process';
import { emptyDatabase } from '../support/servers';
import { deliver, figure, median, secondsOf } from './figures';
import { rawJobOptions } from './raw-job-options';
import { startSubmitter } from './submitter';

const SESSIONS = 300;
const CYCLES = 5;
/** Steps at once per worker: enough that work counts and not the waiting for Redis. */
const CONCURRENCY = '50';
const ROUNDS = Number(process.env['FLEET_BENCH_ROUNDS'] ?? '15');
/**
 * Rounds that are not counted: workers run for days, and the compiler needs about 20,000 steps until both run at their speed (seen: a step
 * of ours takes a fifth less processor time after that, a raw one a tenth less).
 */
const WARM_UP = Math.min(12, ROUNDS);
const SUBMISSIONS = 1_000;
/** Submissions under way at once: the gateway's clients do not wait for one another. */
const CLIENTS = 50;
const stages = Object.values(Queues);

/**
 * What both contestants share: three worker processes each, the same concurrency per stage, and the disk, which each change is written to
 * before it is announced. Ours is PostgreSQL's, beside a Redis that may forget everything; the raw chain has its jobs in Redis alone.
 */
interface Contest {
  readonly rawRedis: Redis;
  readonly raw: Queue;
  readonly records: SessionRecords;
  readonly index: SessionIndex;
  readonly wakeUps: WakeUps;
}

let servers: readonly [PostgresServer, RedisServer, RedisServer];
let env: Readonly<Record<string, string>>;
let app: INestApplicationContext;
let contest: Contest;
const processes: TestProcess[] = [];

beforeAll(async () => {
  Logger.overrideLogger(false);
  const postgres = await startPostgres(['fsync=on', 'full_page_writes=on'], tmpdir());
  const redis = await startRedis(['--appendonly', 'no']);
  const durable = await startRedis(['--appendonly', 'yes', '--appendfsync', 'always']);
  servers = [postgres, redis, durable];
  env = { DATABASE_URL: await postgres.newDatabase(), REDIS_URL: redis.url, REDIS_KEY_PREFIX: 'bench' };
  Object.assign(process.env, env, { FLEET_LOG_LEVEL: 'warn' });
  app = await startSubmitter();
  const rawRedis = new Redis(durable.url, { maxRetriesPerRequest: null });
  const raw = new Queue(Queues.decisions, { connection: rawRedis, prefix: 'raw' });
  const records = app.get<SessionRecords>(SESSION_RECORDS);
  const index = app.get<SessionIndex>(SESSION_INDEX);
  contest = { rawRedis, raw, records, index, wakeUps: app.get(WakeUps) };
});

afterAll(async () => {
  await stopWorkers();
  await app.close();
  await contest.raw.close();
  contest.rawRedis.disconnect();
  await Promise.all(servers.map((server) => server.stop()));
});

const startWorkers = async (): Promise<void> => {
  const work = { cycles: CYCLES, maxWorkMs: 0, stillRunning: 0, dueInMs: 60_000 };
  const ours = { ...env, FLEET_LOG_LEVEL: 'info', FLEET_STEP_CONCURRENCY: CONCURRENCY };
  const raw = { REDIS_URL: servers[2].url };
  processes.push(
    ...stages.map((stage) => startIdleProcess(stage, work, ours)),
    ...stages.map((stage) => startScript('test/bench/raw-chain.main.ts', [stage, String(CYCLES), CONCURRENCY], raw)),
  );
  await Promise.all(processes.map(({ ready }) => ready));
};

const stopWorkers = async (): Promise<void> => {
  for (const { child } of processes) child.kill('SIGKILL');
  await Promise.all(processes.map(({ ended }) => ended));
  processes.length = 0;
};

const until = async (done: () => Promise<boolean>): Promise<void> => {
  while (!(await done())) await sleep(10);
};

const rawRound = (round: number): Promise<number> =>
  secondsOf(async () => {
    await contest.rawRedis.set('raw:done', 0);
    const jobs = Array.from({ length: SESSIONS }, (_, index) => `r${String(round)}s${String(index)}`);
    await Promise.all(
      jobs.map((id) => contest.raw.add('decide', { id, cycle: 1 }, { jobId: id, ...rawJobOptions('decisions') })),
    );
    await until(async () => Number(await contest.rawRedis.get('raw:done')) >= SESSIONS);
  });

const fleetRound = (): Promise<number> =>
  secondsOf(async () => {
    await Promise.all(Array.from({ length: SESSIONS }, () => submit(aNewSession())));
    await until(async () => (await contest.index.list({ status: 'running' }, 1)).sessions.length === 0);
  });

/** As the gateway does it: the record and its outbox entry are written, the wake-up is on its way. */
const submit = async (made: NewSession): Promise<void> => {
  await contest.records.create(made, [anEvent({ type: 'session_submitted' })], 60_000);
  const { id, folder, createdAt } = made;
  const position = { status: 'running', stage: 'deciding', cycle: 1, attempt: 1, version: 1, wakeUps: 0 } as const;
  await contest.wakeUps.wake({ id, ...position, folder, createdAt, updatedAt: createdAt });
};

/** What was only submitted is not to be worked on. */
const forgetAll = async (): Promise<void> => {
  const [, ours, durable] = servers;
  await emptyDatabase(env['DATABASE_URL'] ?? '');
  for (const { url } of [ours, durable]) {
    const redis = new Redis(url);
    await redis.flushall();
    redis.disconnect();
  }
};

/** All records written and all wake-ups in their queue. */
const submitRound = (): Promise<number> => {
  const made = Array.from({ length: SUBMISSIONS }, () => aNewSession()).values();
  const client = async (): Promise<void> => {
    for (const session of made) await submit(session);
  };
  return secondsOf(async () => {
    await Promise.all(Array.from({ length: CLIENTS }, client));
    await contest.wakeUps.settled();
  });
};

const addRound = (round: number): Promise<number> =>
  secondsOf(async () => {
    for (let index = 0; index < SUBMISSIONS; index += 1) {
      const id = `a${String(round)}s${String(index)}`;
      await contest.raw.add('decide', { id, cycle: 1 }, { jobId: id, ...rawJobOptions('decisions') });
    }
  });

/**
 * Rounds of both, one after the other, so that a busy machine slows both, and each of them first in every other pair; the median of
 * the paired ratios.
 */
const pairedRatio = async (
  reference: (round: number) => Promise<number>,
  ours: (round: number) => Promise<number>,
): Promise<number> => {
  const ratios: number[] = [];
  for (let round = 1 - WARM_UP; round <= ROUNDS; round += 1) {
    const early = round % 2 === 0 ? undefined : await reference(round);
    const own = await ours(round);
    const ratio = (early ?? (await reference(round))) / own;
    if (round > 0) ratios.push(ratio);
  }
  return median(ratios);
};

describe('the loop against the bare queue library', () => {
  it('keeps a fair part of its cycles and submissions per second', async () => {
    const submitted = await pairedRatio(addRound, submitRound);
    await forgetAll();
    await startWorkers();
    const looped = await pairedRatio(rawRound, fleetRound);
    deliver([
      figure('3-stage loop against a raw BullMQ chain, both durable (cycles/s)', looped, '>=', 0.5),
      figure('submissions, 50 in flight, against adding jobs one after the other (per s)', submitted, '>=', 0.5),
    ]);
  });
});
