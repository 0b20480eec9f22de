import { Fault } from '@fleet/contracts';
import type { Redis } from 'ioredis';
import { readKey, writeKey, type KeyContent } from './key-content';

/** A key of an installation, as a backup keeps it. */
export interface KeptKey extends KeyContent {
  /** Its name without the prefix of the installation. */
  readonly key: string;
  /** When it ends by itself: milliseconds since the epoch. */
  readonly endsAt?: number;
}

/** Where a backup and a Redis differ, by names of keys without the prefix. */
export interface BackupDifferences {
  readonly same: number;
  /** In the backup alone. */
  readonly missing: readonly string[];
  /** In Redis alone. */
  readonly extra: readonly string[];
  readonly different: readonly string[];
}

/** Writes wait for so long after the last renewal, in milliseconds: should this process die, they go on. */
const longestPauseMs = 10_000;
/** Keys that are read or written together. */
const atOnce = 200;

/** Queues are made again from the records, and buckets of requests fill by themselves. */
const notKept = /^(?:bq:|access:rate:)/;
/** Records and what hangs at them: restored before the indexes that name them, so that no sweeper takes them for lost. */
const ofSessions = /^[set]:/;

/** Writes that wait, and go on by themselves some time after the last renewal. */
class WritePause {
  private endsAt = Infinity;

  constructor(
    private readonly redis: Redis,
    private readonly ms: number,
  ) {}

  /** @throws Fault `backup.not_one_moment` (transient) where it had ended before */
  async renew(): Promise<void> {
    const asked = performance.now();
    await this.redis.call('CLIENT', 'PAUSE', this.ms, 'WRITE');
    this.check();
    this.endsAt = asked + this.ms;
  }

  /** @throws Fault `backup.not_one_moment` (transient) where it may have ended meanwhile */
  check(): void {
    if (performance.now() < this.endsAt) return;
    throw new Fault(
      'backup.not_one_moment',
      'transient',
      `Writes to Redis went on while the backup was written, so it is not of one moment: Redis or the disk took longer than ${String(this.ms / 1000)} s for a part of it. Nothing was kept; try again on a faster disk, or when less is going on.`,
    );
  }

  async end(): Promise<void> {
    await this.redis.call('CLIENT', 'UNPAUSE');
  }
}

/** All that one installation keeps in Redis: records, events, indexes, control, keys and webhooks. */
export class RedisBackup {
  constructor(
    private readonly redis: Redis,
    private readonly prefix: string,
    private readonly pauseMs = longestPauseMs,
  ) {}

  /**
   * Every key at one moment: writes of all clients wait until the last one was read, reads go on.
   * @throws what the client throws; where Redis forbids CLIENT PAUSE there is no such moment
   * @throws Fault `backup.not_one_moment` (transient) where reading, or whoever reads this, took so long that writes went on
   */
  async *snapshot(): AsyncGenerator<KeptKey> {
    const pause = new WritePause(this.redis, this.pauseMs);
    await pause.renew();
    try {
      for (const some of grouped(await this.names(() => pause.renew()))) {
        await pause.renew();
        const read = await Promise.all(some.map((key) => this.read(key)));
        pause.check();
        yield* read.filter((kept) => kept !== undefined);
      }
    } finally {
      await pause.end();
    }
  }

  /** How many keys are there that a backup would keep. */
  async count(): Promise<number> {
    return (await this.names()).length;
  }

  /** Removes all that the installation has in Redis, its queues too. */
  async clear(): Promise<void> {
    for (const some of grouped(await this.scan())) await this.redis.unlink(...some.map((key) => this.nameOf(key)));
  }

  /** Writes keys that are not there; one whose time is over is left out. @throws Fault `backup.refused` (caller) */
  async restore(kept: AsyncIterable<KeptKey>): Promise<number> {
    let restored = 0;
    let some: KeptKey[] = [];
    for await (const one of kept) {
      if (one.endsAt !== undefined && one.endsAt <= Date.now()) continue;
      restored += 1;
      some.push(one);
      if (some.length < atOnce) continue;
      await this.write(some);
      some = [];
    }
    await this.write(some);
    return restored;
  }

  /** @param kept what a backup holds, each by the text of its content (`contentText`) */
  async compare(
    kept: ReadonlyMap<string, string>,
    textOf: (content: KeyContent) => string,
  ): Promise<BackupDifferences> {
    const [extra, different, found] = [new Array<string>(), new Array<string>(), new Set<string>()];
    for (const some of grouped(await this.names()))
      for (const one of await Promise.all(some.map((key) => this.read(key)))) {
        if (one === undefined) continue;
        found.add(one.key);
        const expected = kept.get(one.key);
        if (expected === undefined) extra.push(one.key);
        else if (expected !== textOf(one)) different.push(one.key);
      }
    const missing = [...kept.keys()].filter((key) => !found.has(key));
    return { same: found.size - extra.length - different.length, missing, extra, different };
  }

  private nameOf(key: string): string {
    return `${this.prefix}:${key}`;
  }

  /** Of what is kept, sessions first. */
  private async names(meanwhile?: () => Promise<void>): Promise<readonly string[]> {
    const kept = (await this.scan(meanwhile)).filter((key) => !notKept.test(key));
    return [...kept.filter((key) => ofSessions.test(key)), ...kept.filter((key) => !ofSessions.test(key))];
  }

  private async scan(meanwhile?: () => Promise<void>): Promise<readonly string[]> {
    const start = this.nameOf('');
    const names = new Set<string>();
    // A prefix has no character that a pattern would take for another, but for braces, which mean themselves.
    for await (const some of this.redis.scanStream({ match: `${start}*`, count: 1000 }) as AsyncIterable<string[]>) {
      for (const name of some) names.add(name.slice(start.length));
      await meanwhile?.();
    }
    return [...names];
  }

  private async read(key: string): Promise<KeptKey | undefined> {
    const name = this.nameOf(key);
    const [content, left] = await Promise.all([readKey(this.redis, name), this.redis.pttl(name)]);
    if (content === undefined) return undefined;
    return { key, ...content, ...(left >= 0 && { endsAt: Date.now() + left }) };
  }

  private async write(kept: readonly KeptKey[]): Promise<void> {
    if (kept.length === 0) return;
    const pipeline = this.redis.pipeline();
    for (const { key, endsAt, ...content } of kept) {
      writeKey(pipeline, this.nameOf(key), content);
      if (endsAt !== undefined) pipeline.pexpireat(this.nameOf(key), endsAt);
    }
    const failed = (await pipeline.exec())?.find(([error]) => error !== null)?.[0];
    if (failed)
      throw new Fault('backup.refused', 'caller', `Redis does not take the backup: ${failed.message}`, {
        cause: failed,
      });
  }
}

function* grouped<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += atOnce) yield all.slice(from, from + atOnce);
}
