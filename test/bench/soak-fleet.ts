import { Queues, type QueueName } from '@fleet/contracts/queues';
import { connectRedis } from '@fleet/redis';
import { freePort } from '@fleet/testing';
import type { Redis } from 'ioredis';
import { Client } from 'pg';
import { GatewayGround, preloaded } from '../loop/gateway-ground';
import { startIdleProcess, type TestProcess } from '../loop/idle-process';
import type { IdleWork } from '../loop/idle-stages';
import { KeptProcess } from '../loop/kept-process';
import { eventually } from '../loop/loop-harness';
import { openStore, startServers, type OpenStore, type Servers } from '../support/servers';

/** Most workers of a queue beside the two that are always there. */
const EXTRAS = 2;
/** How often a process is started at most until it is ready. */
const STARTS = 3;
const queues = Object.values(Queues);

/** Memory of one process after its garbage was collected, in MiB. */
export interface Memory {
  readonly live: number;
  readonly resident: number;
}

/** What the database holds. */
interface Stored {
  readonly sessions: number;
  readonly ended: number;
  /** On its disk, indexes too. */
  readonly bytes: number;
}

/** How this process reaches the servers. */
interface Clients {
  readonly opened: OpenStore;
  readonly redis: Redis;
}

/** The processes of a fleet. */
interface Crew {
  /** Of each kind the one that is never killed. */
  readonly lasting: ReadonlyMap<string, TestProcess>;
  readonly mortal: readonly KeptProcess[];
  readonly more: (queue: QueueName) => TestProcess;
}

/**
 * Two gateways and two workers of each queue, of which one of each kind lives as long as the fleet does, PostgreSQL and Redis. The other
 * may be killed; more workers come and go.
 */
export class SoakFleet {
  private readonly extras = new Map<QueueName, TestProcess[]>(queues.map((queue) => [queue, []]));

  private constructor(
    readonly ground: GatewayGround,
    readonly servers: Servers,
    private readonly clients: Clients,
    readonly ports: readonly number[],
    private readonly crew: Crew,
  ) {}

  get store(): OpenStore['store'] {
    return this.clients.opened.store;
  }

  static async start(work: IdleWork): Promise<SoakFleet> {
    const servers = await startServers(['--appendonly', 'no']);
    const opened = await openStore(servers.databaseUrl);
    const redis = connectRedis({ url: servers.redis.url });
    redis.on('error', () => undefined);
    const ground = new GatewayGround(servers.env);
    const collecting = preloaded('../bench/collect-on-signal.mjs', {});
    const ports = [await freePort(), await freePort()] as const;
    const env = { ...ground.env, FLEET_STEP_LOCK_MS: '5000' };
    const more = (queue: QueueName): TestProcess => startIdleProcess(queue, work, env);
    const lasting = new Map<string, TestProcess>();
    const mortal: KeptProcess[] = [];
    const fleet = new SoakFleet(ground, servers, { opened, redis }, ports, { lasting, mortal, more });
    try {
      lasting.set('gateway', await begun(() => ground.gateway(ports[0], collecting)));
      for (const queue of queues)
        lasting.set(queue, await begun(() => startIdleProcess(queue, work, { ...env, ...collecting })));
      mortal.push(new KeptProcess(() => ground.gateway(ports[1])));
      for (const queue of queues) mortal.push(new KeptProcess(() => more(queue)));
      for (const one of mortal) await eventually(() => one.ready.then(() => true), Boolean);
      return fleet;
    } catch (error) {
      await fleet.dispose();
      throw error;
    }
  }

  /** One of those that may be, whether it was up or not. */
  async kill(which: number): Promise<void> {
    await this.crew.mortal[which % this.crew.mortal.length]?.kill();
  }

  /** One worker more of each queue, up to some; then they are told to end, one after the other. */
  async scale(turn: number): Promise<void> {
    const grows = turn % (2 * EXTRAS) < EXTRAS;
    await Promise.all(queues.map((queue) => (grows ? this.grow(queue) : this.shrink(queue))));
  }

  private async grow(queue: QueueName): Promise<void> {
    const one = await begun(() => this.crew.more(queue));
    this.extras.get(queue)?.push(one);
  }

  private async shrink(queue: QueueName): Promise<void> {
    const one = this.extras.get(queue)?.pop();
    one?.child.kill('SIGTERM');
    const code = await one?.ended;
    if (one !== undefined && code !== 'SIGTERM') throw new Error(`a worker of ${queue} ended with ${String(code)}`);
  }

  /** Of each kind the memory of the one that lives all the time, and of Redis. */
  async memory(): Promise<ReadonlyMap<string, Memory>> {
    const seen = await Promise.all(
      [...this.crew.lasting].map(async ([kind, one]) => [kind, await collected(one)] as const),
    );
    const used = Number(/used_memory:(\d+)/.exec(await this.clients.redis.info('memory'))?.[1]) / 2 ** 20;
    return new Map([...seen, ['Redis', { live: used, resident: used }]]);
  }

  async stored(): Promise<Stored> {
    const client = new Client({ connectionString: this.servers.databaseUrl });
    client.on('error', () => undefined);
    await client.connect();
    try {
      const { rows } = await client.query<Stored>(
        `SELECT count(*)::int AS sessions, (count(*) FILTER (WHERE ended_at IS NOT NULL))::int AS ended,
           pg_database_size(current_database())::float8 AS bytes
         FROM sessions`,
      );
      return rows[0] ?? { sessions: 0, ended: 0, bytes: 0 };
    } finally {
      await client.end();
    }
  }

  async dispose(): Promise<void> {
    const others = [...this.crew.lasting.values(), ...[...this.extras.values()].flat()];
    for (const { child } of others) child.kill('SIGKILL');
    await Promise.all([...others.map(({ ended }) => ended), ...this.crew.mortal.map((one) => one.stop())]);
    await this.clients.opened.close();
    this.clients.redis.disconnect();
    await this.servers.stop();
    this.ground.dispose();
  }
}

/** Starts on a machine that is full: a service that waits for its servers in vain ends, and whoever keeps it starts it again. */
const begun = async (make: () => TestProcess): Promise<TestProcess> => {
  for (let left = STARTS; ; left -= 1) {
    const one = make();
    try {
      await one.ready;
      return one;
    } catch (error) {
      if (left <= 1) throw error;
    }
  }
};

/** @throws Error when the process has ended, which it must not */
const collected = async ({ child, lines }: TestProcess): Promise<Memory> => {
  const collections = (): readonly string[] => lines.filter((line) => line.startsWith('collected '));
  const before = collections().length;
  if (!child.kill('SIGWINCH')) throw new Error(`a process that should last has ended: ${lines.slice(-5).join('\n')}`);
  const all = await eventually(
    () => Promise.resolve(collections()),
    (seen) => seen.length > before,
  );
  return JSON.parse((all.at(-1) ?? '').slice('collected '.length)) as Memory;
};
