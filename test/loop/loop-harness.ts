import { Queues, type QueueName } from '@fleet/contracts/queues';
import { connectRedis } from '@fleet/redis';
import type { PostgresStore } from '@fleet/store';
import { aNewSession, anEvent, startPostgres, startRedis, type PostgresServer, type RedisServer } from '@fleet/testing';
import type { INestApplicationContext } from '@nestjs/common';
import { NestApplicationContextOptions } from '@nestjs/common/interfaces/nest-application-context-options.interface.js';
import { NestFactory } from '@nestjs/core';
import type { Redis } from 'ioredis';
import { openStore } from '../support/servers';
import { setTimeout as sleep } from 'node:timers/promises';
import { startIdleProcess, type TestProcess } from './idle-process';
import type { IdleWork } from './idle-stages';
import { IdleWorkerModule } from './idle-worker.module';

export const queues = Object.values(Queues);

interface Server {
  readonly url: string;
  stop(): Promise<void>;
}

/** A PostgreSQL with a store, a Redis and the environment for worker processes. */
export interface Loop<Kind extends Server = RedisServer> {
  /** Redis. */
  readonly server: Kind;
  readonly redis: Redis;
  readonly postgres: PostgresServer;
  readonly store: PostgresStore;
  readonly env: Readonly<Record<string, string>>;
  /** Of it, where the servers are. */
  readonly at: Readonly<Record<string, string>>;
  /** A worker as a process of its own. */
  start(queue: QueueName, work: IdleWork): TestProcess;
  /** A worker within this process, which needs a second less than one of its own. */
  startHere(queue: QueueName, work: IdleWork, env?: Readonly<Record<string, string>>): Promise<INestApplicationContext>;
  /** One of each kind within this process. */
  startAllHere(work: IdleWork): Promise<readonly INestApplicationContext[]>;
  /** Ends the workers within this process; each ends its steps first. */
  stopHere(): Promise<void>;
  /** Stops every process that was started, then the servers. */
  end(): Promise<void>;
}

/** Short deadlines, so that a test sees in seconds what takes minutes in a facility. */
const quick = {
  FLEET_SWEEP_INTERVAL_MS: '150',
  FLEET_SWEEP_GRACE_MS: '300',
  FLEET_SWEEP_RECHECK_MS: '500',
  FLEET_STEP_LOCK_MS: '1500',
};

export const startLoop = async (): Promise<Loop> => loopOver(await startRedis());

/** The database of a loop. */
export interface LoopDatabase {
  readonly postgres: PostgresServer;
  /** The address that services are given. */
  readonly databaseUrl: string;
}

const newDatabase = async (): Promise<LoopDatabase> => {
  const postgres = await startPostgres();
  return { postgres, databaseUrl: await postgres.newDatabase() };
};

/** The loop over a Redis, and a PostgreSQL unless a new one will do, that run already; `end` stops both. */
export const loopOver = async <Kind extends Server>(server: Kind, database?: LoopDatabase): Promise<Loop<Kind>> => {
  const redis = connectRedis({ url: server.url });
  redis.on('error', () => undefined);
  const { postgres, databaseUrl } = database ?? (await newDatabase());
  const { store, close } = await openStore(databaseUrl);
  const at = { DATABASE_URL: databaseUrl, REDIS_URL: server.url, REDIS_KEY_PREFIX: 'loop' };
  const env = { ...at, FLEET_LOG_LEVEL: 'info', ...quick };
  const started: TestProcess[] = [];
  const here: INestApplicationContext[] = [];
  const startHere: Loop['startHere'] = async (queue, work, more = {}) => {
    const module = IdleWorkerModule.forQueue(queue, work, { ...env, ...more });
    const options = Object.assign(new NestApplicationContextOptions(), { logger: false, abortOnError: false });
    const worker = await NestFactory.createApplicationContext(module, options);
    here.push(worker);
    return worker;
  };
  const stopHere = async (): Promise<void> => {
    await Promise.all(here.splice(0).map((worker) => worker.close()));
  };
  return {
    server,
    redis,
    postgres,
    store,
    env,
    at,
    start: (queue, work) => {
      const process = startIdleProcess(queue, work, env);
      started.push(process);
      return process;
    },
    startHere,
    stopHere,
    startAllHere: (work) => Promise.all(queues.map((queue) => startHere(queue, work))),
    end: async () => {
      for (const { child } of started) child.kill('SIGKILL');
      await Promise.all([...started.map(({ ended }) => ended), stopHere()]);
      await close();
      redis.disconnect();
      await Promise.all([server.stop(), postgres.stop()]);
    },
  };
};

/** Writes a session and its outbox entry without a wake-up, which is the sweeper's task. */
export const submit = async (store: PostgresStore, count: number, dueInMs = 2_000): Promise<readonly string[]> => {
  const made = Array.from({ length: count }, () => aNewSession());
  for (const session of made) await store.records.create(session, [anEvent({ type: 'session_submitted' })], dueInMs);
  return made.map(({ id }) => id);
};

/** Polls until `done` holds; throws with what was found last when it never does. */
export const eventually = async <T>(
  look: () => Promise<T>,
  done: (found: T) => boolean,
  timeoutMs = 120_000,
): Promise<T> => {
  const until = Date.now() + timeoutMs;
  for (;;) {
    const found = await look().catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
    if (!(found instanceof Error) && done(found)) return found;
    if (Date.now() > until) throw new Error(`never seen; last: ${String(found)}`);
    await sleep(50);
  }
};

/** How far all sessions together have come. */
export const movesIn = async (store: PostgresStore): Promise<number> =>
  (await store.index.list({}, 10_000)).sessions.reduce((sum, { version }) => sum + version, 0);

/** Waits until the sessions have made so many moves more than they had. */
export const moreMoves = async (store: PostgresStore, count: number): Promise<void> => {
  const before = await movesIn(store);
  await eventually(
    () => movesIn(store),
    (now) => now >= before + count,
  );
};

/** Waits until that many sessions have ended. */
export const allEnded = async (store: PostgresStore, count: number): Promise<void> => {
  await eventually(
    () => countOf(store, 'completed'),
    (done) => done === count,
  );
};

/** How many sessions are in a status. */
export const countOf = async (store: PostgresStore, status: 'running' | 'completed' | 'cancelled'): Promise<number> =>
  (await store.index.list({ status }, 10_000)).sessions.length;

/** The trail of a session whose stages all did nothing, as it must be: every transition once, in order. */
export const trailOf = (cycles: number): readonly string[] => {
  const steps = Array.from({ length: cycles }, (_, index) => index + 1).flatMap((cycle) => [
    `${String(cycle)}.1 deciding->executing`,
    `${String(cycle)}.1 executing->analysing`,
    `${String(cycle)}.1 analysing->${cycle === cycles ? 'ended:nothing_left' : 'deciding'}`,
  ]);
  return steps.map((step, index) => `${String(index + 2)} ${step}`);
};
