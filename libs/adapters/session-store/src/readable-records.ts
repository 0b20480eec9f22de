import { isFault } from '@fleet/contracts';
import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import type { Keys } from './keys';
import { rowFields } from './session-fields';

/** Records that were told of; a damaged one is read again and again. */
const TOLD_AT_MOST = 1_000;

/** Heads and rows of many sessions. A record that cannot be read is left out and named in the log, once: it must not stand before the others. */
export class ReadableRecords {
  private readonly logger = new Logger('ReadableRecords');
  private readonly told = new Set<string>();

  constructor(
    private readonly redis: Redis,
    private readonly keys: Pick<Keys, 'session'>,
  ) {}

  /**
   * In one round trip; at the place of each id what `read` makes of its `rowFields`, which begin with its `headFields`.
   * @param read throws Fault `session.damaged`
   */
  async of<T>(
    ids: readonly string[],
    read: (id: string, values: readonly (string | null)[]) => T | undefined,
  ): Promise<readonly (T | 'missing' | 'damaged')[]> {
    if (ids.length === 0) return [];
    const pipeline = this.redis.pipeline();
    for (const id of ids) pipeline.hmget(this.keys.session(id), ...rowFields);
    const replies = (await pipeline.exec()) ?? [];
    return ids.map((id, position) => {
      const [error, values] = replies[position] ?? [null, []];
      return this.readOne(id, () => {
        if (error !== null) throw error;
        return read(id, values as (string | null)[]);
      });
    });
  }

  private readOne<T>(id: string, read: () => T | undefined): T | 'missing' | 'damaged' {
    try {
      return read() ?? 'missing';
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.tell(id, error.message);
      return 'damaged';
    }
  }

  private tell(sessionId: string, reason: string): void {
    if (this.told.has(sessionId) || this.told.size >= TOLD_AT_MOST) return;
    this.told.add(sessionId);
    this.logger.error({ message: 'a session cannot be read and is left out', sessionId, reason });
  }
}

/** The fault of the reader, or the answer of Redis that something else lies under this key. */
const isDamage = (error: unknown): error is Error =>
  isFault(error)
    ? error.code === 'session.damaged'
    : error instanceof Error && error.name === 'ReplyError' && error.message.startsWith('WRONGTYPE');
