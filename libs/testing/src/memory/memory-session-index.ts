import { Fault, type SessionOrder, type SessionPage, type SessionRow } from '@fleet/contracts';
import { timeCursor, type SessionFilter, type SessionGroup, type SessionIndex, type SessionName } from '@fleet/ports';
import { composedRow, headOf, labelsOf } from '@fleet/session-report';
import { byBytes, matches } from './matches';

import { copy, type MemoryState, type Stored } from './memory-state';

export class MemorySessionIndex implements SessionIndex {
  constructor(private readonly state: MemoryState) {}

  list(filter: SessionFilter, limit: number, cursor?: string, order: SessionOrder = '-created'): Promise<SessionPage> {
    const { nameOf, compare, toCursor, ofCursor } = placing(order);
    const from = cursor === undefined ? undefined : ofCursor(cursor);
    const matching = this.everyRow()
      .filter((row) => matches(row, filter))
      .map((row) => ({ row, name: nameOf(row) }))
      .filter(({ name }) => from === undefined || compare(name, from) > 0)
      .sort((one, other) => compare(one.name, other.name));
    const shown = matching.slice(0, limit);
    const sessions = shown.map(({ row }) => row);
    const last = shown.at(-1);
    return Promise.resolve(
      matching.length > limit && last !== undefined ? { sessions, nextCursor: toCursor(last.name) } : { sessions },
    );
  }

  count(group: SessionGroup): Promise<number> {
    return Promise.resolve(this.everyRow().filter((row) => matches(row, group)).length);
  }

  find({ title, idBeginning }: SessionName, limit: number): Promise<readonly SessionRow[]> {
    const found = this.everyRow()
      .filter((row) => row.title === title || (idBeginning !== undefined && row.id.startsWith(idBeginning)))
      .sort((one, other) => (timeCursor(one) < timeCursor(other) ? 1 : -1));
    return Promise.resolve(found.slice(0, limit));
  }

  ofContent(digest: string, limit: number): Promise<readonly SessionRow[]> {
    const found = [...this.state.sessions.values()].filter(({ content }) => content.includes(digest)).map(storedRow);
    const newestFirst = found.sort((one, other) => byBytes(timeCursor(other), timeCursor(one)));
    return Promise.resolve(newestFirst.slice(0, limit));
  }

  rows(ids: readonly string[]): Promise<readonly (SessionRow | undefined)[]> {
    const found = ids.map((id) => this.state.sessions.get(id));
    return Promise.resolve(found.map((stored) => (stored === undefined ? undefined : storedRow(stored))));
  }

  private everyRow(): readonly SessionRow[] {
    return [...this.state.sessions.values()].map(storedRow);
  }
}

/** Where rows stand in a list. */
interface Placing {
  readonly nameOf: (row: SessionRow) => string;
  readonly compare: (one: string, other: string) => number;
  readonly toCursor: (name: string) => string;
  readonly ofCursor: (cursor: string) => string;
}

/** A name holds a title, which may be any text. */
const base64 = (name: string): string => Buffer.from(`["memory"]${name}`).toString('base64url');
const text64 = (cursor: string): string => {
  const [, name] = /^\["memory"\]([^]*)$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (name !== undefined) return name;
  throw new Fault('list.bad_cursor', 'caller', 'this is not a cursor of a list', {
    problems: [{ field: 'cursor', reason: 'not the cursor of a page', allowed: 'the nextCursor of the page before' }],
  });
};

const placing = (order: SessionOrder): Placing => {
  if (order === '-created' || order === 'created') {
    const sign = order === '-created' ? -1 : 1;
    return {
      nameOf: timeCursor,
      compare: (one, other) => sign * byBytes(one, other),
      toCursor: base64,
      ofCursor: text64,
    };
  }
  if (order !== 'title') throw new TypeError(`sessions in memory are not sorted by ${order}`);
  const nameOf = ({ id, title }: SessionRow): string => `${title}\n${id}`;
  return { nameOf, compare: byBytes, toCursor: base64, ofCursor: text64 };
};

const storedRow = ({ session, progress }: Stored): SessionRow =>
  copy(composedRow(headOf(session), labelsOf(session), session.stop, progress));
