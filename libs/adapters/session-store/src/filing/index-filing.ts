import type { SessionRow } from '@fleet/contracts';
import { LuaScript } from '../lua-script';
import type { ReadableRecords } from '../readable-records';
import { reachingRedis } from '../reaching-redis';
import type { RedisContext } from '../redis-context';
import { fileScript } from '../scripts.lua';
import { idOfListed, listedName, rowFrom, stateOf } from '../session-fields';

const file = new LuaScript(fileScript);

/** Sessions of one look. */
const AT_ONCE = 200;
/** A release that does not know these indexes may run beside this one for a day (docs/releases.md). */
const AGAIN_MS = 86_400_000;
const doneForm = /^done (\d+)$/;

/**
 * Files every session under its outcome, its submitter and its batch: sessions that an older release has written are in none of these
 * indexes. The place reached is kept in Redis; several workers may do it at once, and any of them may die: a page is filed again.
 */
export class IndexFiling {
  constructor(
    private readonly at: RedisContext,
    private readonly records: ReadableRecords,
  ) {}

  /** One page. Gives how many sessions it looked at; 0: there is nothing to do until a day has passed. */
  look(): Promise<number> {
    return reachingRedis(this.at.redis, () => this.page());
  }

  private async page(): Promise<number> {
    const { redis, keys, deadlines } = this.at;
    const place = await redis.get(keys.filed);
    const [, doneAt] = doneForm.exec(place ?? '') ?? [];
    if (doneAt !== undefined && Number(doneAt) + AGAIN_MS > deadlines.now()) return 0;
    const from = place === null || doneAt !== undefined ? '-' : `(${place}`;
    const names = await redis.zrangebylex(keys.all, from, '+', 'LIMIT', 0, AT_ONCE);
    const rows = await this.records.of(names.map(idOfListed), rowFrom);
    await Promise.all(rows.flatMap((row) => (typeof row === 'object' ? [this.file(row)] : [])));
    const last = names.length < AT_ONCE ? undefined : names.at(-1);
    await redis.set(keys.filed, last ?? `done ${String(deadlines.now())}`);
    return names.length;
  }

  /** Nothing happens where the session has moved meanwhile: the move has filed it. */
  private file(row: SessionRow): Promise<unknown> {
    const { redis, keys, prefix } = this.at;
    const { id, submitter, batch, outcome = '' } = row;
    const groups = [
      ...(submitter === '' ? [] : [keys.ofSubmitter(submitter)]),
      ...(batch === undefined ? [] : [keys.ofBatch(batch)]),
    ];
    return file.run(redis, [keys.session(id), ...groups], [prefix, listedName(row), stateOf(row), outcome]);
  }
}
