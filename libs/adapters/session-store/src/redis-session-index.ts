import type { SessionPage, SessionRow } from '@fleet/contracts';
import type { SessionFilter, SessionIndex, SessionName } from '@fleet/ports';
import { reachingRedis } from './reaching-redis';
import type { ReadableRecords } from './readable-records';
import type { RedisContext } from './redis-context';
import { calledTitle, idOfListed, listedName, rowFrom } from './session-fields';

/** Sessions looked at in one go where a filter has several parts. */
const AT_ONCE = 200;

/**
 * Lists of sessions. A session is in one index per property and not in one per combination of them, for writes are frequent and
 * lists are not: a filter of one part is a range read, one of several reads the smallest index that its parts have and leaves out what
 * the other parts do not want. So it costs at most as much as the sessions of that proposal (or beamline, or status), never of all.
 */
export class RedisSessionIndex implements SessionIndex {
  constructor(
    private readonly at: RedisContext,
    private readonly records: ReadableRecords,
  ) {}

  list(filter: SessionFilter, limit: number, cursor?: string): Promise<SessionPage> {
    return reachingRedis(this.at.redis, () => this.page(filter, limit, cursor));
  }

  find(name: SessionName, limit: number): Promise<readonly SessionRow[]> {
    return reachingRedis(this.at.redis, () => this.called(name, limit));
  }

  async rows(ids: readonly string[]): Promise<readonly (SessionRow | undefined)[]> {
    const rows = await reachingRedis(this.at.redis, () => this.records.of(ids, rowFrom));
    return rows.map((row) => (typeof row === 'object' ? row : undefined));
  }

  private async page(filter: SessionFilter, limit: number, cursor?: string): Promise<SessionPage> {
    const indexes = this.at.keys.indexesFor(filter);
    const index = await this.smallest(indexes);
    const found: { readonly name: string; readonly row: SessionRow }[] = [];
    let start = cursor === undefined ? '+' : `(${cursor}`;
    while (found.length <= limit) {
      const missing = limit + 1 - found.length;
      const wanted = indexes.length === 1 ? missing : Math.max(missing, AT_ONCE);
      const names = await this.at.redis.zrevrangebylex(index, start, '-', 'LIMIT', 0, wanted);
      found.push(...(await this.matching(names, filter)));
      if (names.length < wanted) break;
      start = `(${names.at(-1) ?? ''}`;
    }
    const shown = found.slice(0, limit);
    const sessions = shown.map(({ row }) => row);
    const last = shown.at(-1);
    return found.length > limit && last !== undefined ? { sessions, nextCursor: last.name } : { sessions };
  }

  private async called({ title, idBeginning }: SessionName, limit: number): Promise<readonly SessionRow[]> {
    const begins = [calledTitle(title), ...(idBeginning === undefined ? [] : [`i:${idBeginning}`])];
    const found = await Promise.all(
      // The last byte is part of no text in UTF-8: everything that begins so lies before it.
      begins.map((text) => this.at.redis.zrangebylex(this.at.keys.called, `[${text}`, after(text), 'LIMIT', 0, limit)),
    );
    const ids = new Set(found.flat().map((name) => name.slice(-idLength)));
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
  ): Promise<readonly { readonly name: string; readonly row: SessionRow }[]> {
    const rows = await this.records.of(names.map(idOfListed), rowFrom);
    return names.flatMap((name, position) => {
      const row = rows[position];
      return typeof row === 'object' && matches(row, filter) ? [{ name, row }] : [];
    });
  }
}

/** Characters of an id. */
const idLength = 26;

const after = (text: string): Buffer => Buffer.concat([Buffer.from(`(${text}`), Buffer.from([0xff])]);

const matches = (row: SessionRow, { status, proposal, beamline }: SessionFilter): boolean =>
  (status === undefined || row.status === status) &&
  (proposal === undefined || row.proposal === proposal) &&
  (beamline === undefined || row.beamline === beamline);
