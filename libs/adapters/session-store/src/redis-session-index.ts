import type { SessionPage, SessionRow } from '@fleet/contracts';
import type { SessionFilter, SessionGroup, SessionIndex, SessionName, SessionOrder } from '@fleet/ports';
import { afterAll, cursorOfName, matches, nameOfCursor, namedRanges, timeRange, type NamedRange } from './list-ranges';
import { reachingRedis } from './reaching-redis';
import type { ReadableRecords } from './readable-records';
import type { RedisContext } from './redis-context';
import { calledTitle, idOfListed, listedName, rowFrom } from './session-fields';

/** Sessions looked at in one go where a filter has several parts. */
const AT_ONCE = 200;

/** A row, and what stands for it in the index that is read. */
interface Found {
  readonly name: string;
  readonly row: SessionRow;
}

/** Reads names of an index, `wanted` at most, in order, from the beginning or after one. */
type ReadNames = (after: string | undefined, wanted: number) => Promise<readonly string[]>;

/**
 * Lists of sessions. A session is in one index per property and not in one per combination of them, for writes are frequent and
 * lists are not: a filter of one part is a range read, one of several reads the smallest index that its parts have and leaves out what
 * the other parts do not want. So it costs at most as much as the sessions of that proposal (or beamline, or status), never of all. With a
 * text it is a range of what sessions are called.
 */
export class RedisSessionIndex implements SessionIndex {
  constructor(
    private readonly at: RedisContext,
    private readonly records: ReadableRecords,
  ) {}

  list(filter: SessionFilter, limit: number, cursor?: string, order: SessionOrder = 'newest'): Promise<SessionPage> {
    const byTitle = filter.text !== undefined || order === 'title';
    return reachingRedis(this.at.redis, () =>
      byTitle ? this.byTitle(filter, limit, cursor) : this.byTime(filter, limit, cursor, order),
    );
  }

  count(group: SessionGroup): Promise<number> {
    const indexes = this.at.keys.indexesFor(group);
    return reachingRedis(this.at.redis, () => this.at.redis.zintercard(indexes.length, ...indexes));
  }

  find(name: SessionName, limit: number): Promise<readonly SessionRow[]> {
    return reachingRedis(this.at.redis, () => this.called(name, limit));
  }

  async rows(ids: readonly string[]): Promise<readonly (SessionRow | undefined)[]> {
    const rows = await reachingRedis(this.at.redis, () => this.records.of(ids, rowFrom));
    return rows.map((row) => (typeof row === 'object' ? row : undefined));
  }

  async ofContent(digest: string, limit: number): Promise<readonly SessionRow[]> {
    const { redis, keys } = this.at;
    return reachingRedis(redis, async () => {
      const names = await redis.zrevrangebylex(keys.ofContent(digest), '+', '-', 'LIMIT', 0, limit);
      const rows = await this.records.of(names.map(idOfListed), rowFrom);
      return rows.filter((row) => typeof row === 'object');
    });
  }

  private async byTime(
    filter: SessionFilter,
    limit: number,
    cursor: string | undefined,
    order: 'newest' | 'oldest',
  ): Promise<SessionPage> {
    const indexes = this.at.keys.indexesFor(filter);
    const index = await this.smallest(indexes);
    const { redis } = this.at;
    const read: ReadNames = (after, wanted) => {
      const { min, max } = timeRange(filter, order, after);
      return order === 'newest'
        ? redis.zrevrangebylex(index, max, min, 'LIMIT', 0, wanted)
        : redis.zrangebylex(index, min, max, 'LIMIT', 0, wanted);
    };
    const selective = indexes.length > 1;
    const found = await this.gather(read, filter, { limit: limit + 1, cursor, selective, idOf: idOfListed });
    return pageOf(found, limit, (name) => name);
  }

  /** One range after the other: ids that begin so, then titles. */
  private async byTitle(filter: SessionFilter, limit: number, cursor: string | undefined): Promise<SessionPage> {
    const from = cursor === undefined ? undefined : nameOfCursor(cursor);
    const found: Found[] = [];
    for (const range of namedRanges(filter.text)) {
      const missing = limit + 1 - found.length;
      if (missing > 0) found.push(...(await this.ofRange(range, filter, missing, from)));
    }
    return pageOf(found, limit, cursorOfName);
  }

  private async ofRange(
    range: NamedRange,
    filter: SessionFilter,
    limit: number,
    from: string | undefined,
  ): Promise<readonly Found[]> {
    const { redis, keys } = this.at;
    const read: ReadNames = (after, wanted) =>
      redis.zrangebylex(keys.called, range.after(after), range.end, 'LIMIT', 0, wanted);
    const parts = Object.values(filter).filter((part) => part !== undefined).length;
    const selective = parts > (filter.text === undefined ? 0 : 1);
    const found = await this.gather(read, filter, { limit, cursor: from, selective, idOf });
    return found.filter(({ row }) => range.holds(row));
  }

  /** Rows that match, in the order of the index; fewer than `limit` only where there are no more. */
  private async gather(
    read: ReadNames,
    filter: SessionFilter,
    { limit, cursor, selective, idOf: idIn }: Gathering,
  ): Promise<readonly Found[]> {
    const found: Found[] = [];
    let after = cursor;
    while (found.length < limit) {
      const missing = limit - found.length;
      const wanted = selective ? Math.max(missing, AT_ONCE) : missing;
      const names = await read(after, wanted);
      found.push(...(await this.matching(names, filter, idIn)));
      if (names.length < wanted) break;
      after = names.at(-1);
    }
    return found.slice(0, limit);
  }

  private async called({ title, idBeginning }: SessionName, limit: number): Promise<readonly SessionRow[]> {
    const begins = [calledTitle(title), ...(idBeginning === undefined ? [] : [`i:${idBeginning}`])];
    const found = await Promise.all(
      begins.map((text) =>
        this.at.redis.zrangebylex(this.at.keys.called, `[${text}`, afterAll(text), 'LIMIT', 0, limit),
      ),
    );
    const ids = new Set(found.flat().map(idOf));
    const rows = await this.records.of([...ids], rowFrom);
    return rows
      .filter((row) => typeof row === 'object')
      .sort((one, other) => (listedName(one) < listedName(other) ? 1 : -1))
      .slice(0, limit);
  }

  private async smallest(indexes: readonly [string, ...string[]]): Promise<string> {
    if (indexes.length === 1) return indexes[0];
    const sizes = await Promise.all(indexes.map((index) => this.at.redis.zcard(index)));
    return indexes[sizes.indexOf(Math.min(...sizes))] ?? indexes[0];
  }

  /** The rows of these names that match; a status may have changed since the index was read. */
  private async matching(
    names: readonly string[],
    filter: SessionFilter,
    idIn: (name: string) => string,
  ): Promise<readonly Found[]> {
    const rows = await this.records.of(names.map(idIn), rowFrom);
    return names.flatMap((name, position) => {
      const row = rows[position];
      return typeof row === 'object' && matches(row, filter) ? [{ name, row }] : [];
    });
  }
}

interface Gathering {
  readonly limit: number;
  readonly cursor: string | undefined;
  /** Whether names of the index may not match. */
  readonly selective: boolean;
  readonly idOf: (name: string) => string;
}

/** Characters of an id. */
const idLength = 26;

/** The id at the end of what a session is called by. */
const idOf = (name: string): string => name.slice(-idLength);

/** @param found one more than the page shows, where there are more */
const pageOf = (found: readonly Found[], limit: number, cursorOf: (name: string) => string): SessionPage => {
  const shown = found.slice(0, limit);
  const sessions = shown.map(({ row }) => row);
  const last = shown.at(-1);
  return found.length > limit && last !== undefined ? { sessions, nextCursor: cursorOf(last.name) } : { sessions };
};
