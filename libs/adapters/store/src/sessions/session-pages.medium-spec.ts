import { sql } from 'kysely';
import { sessionOrders, type SessionOrder, type SessionSort } from '@fleet/contracts/sessions';
import type { SessionFilter } from '@fleet/ports';
import { aNewSession, aRequest } from '@fleet/testing';
import { useDatabases } from '../fixtures/databases';
import type { StoreContext } from '../database';
import { PostgresStore } from '../postgres-store';

const databases = useDatabases();

type Value = string | number | null;
type Listed = Readonly<Record<SessionSort, Value>> & {
  readonly id: string;
  readonly ligand: string;
  readonly failure: string | null;
};

/** Cycles through the values, with a different step for each column. */
const nth = <T>(number: number, step: number, values: readonly [T, ...T[]]): T =>
  values[(number * step + Math.floor(number / values.length)) % values.length] ?? values[0];
const start = Date.UTC(2026, 10, 21, 8);

/** Few values of each kind, so that many sessions share one; two each have the same time. */
const sessions: readonly Listed[] = Array.from({ length: 40 }, (_, number) => {
  const outcome = nth(number, 5, ['solved', null, 'failed_science', 'cancelled']);
  return {
    id: `01jd000000000000000000${String(1000 + ((number * 17) % 40))}`,
    created: start + Math.floor(number / 2) * 60_000,
    ended: outcome === null ? null : start + 86_400_000 + (number % 6) * 60_000,
    title: nth(number, 3, ['Lysozyme 100%', 'lysozyme 1_2', 'Protease of crystal 7', 'a\\b', 'ribosome']),
    sample: nth(number, 7, ['HEWL-17', null, 'SAMPLE-8f14', 'sam-8F14']),
    proposal: nth(number, 1, ['mx1', 'mx2', 'mx3']),
    beamline: nth(number, 2, ['i04', 'i24', '']),
    submitter: nth(number, 5, ['ada', 'max']),
    status: outcome === null ? 'running' : outcome === 'cancelled' ? 'cancelled' : 'completed',
    outcome,
    spaceGroup: nth(number, 3, ['P 1 21 1', 'C 1 2 1', null]),
    resolution: nth(number, 1, [1.2, 1.8, 2.5, null]),
    rFree: nth(number, 2, [0.19, null, 0.25, 0.31]),
    mapCc: nth(number, 1, [null, 0.7, null]),
    ligand: nth(number, 5, ['NAG', 'NUT', 'LIG']),
    failure: outcome === 'failed_science' ? nth(number, 3, ['program 12 stopped', 'No solution']) : null,
  };
});

const contains = (text: string, { title, sample, id }: Listed): boolean =>
  [title, sample, id].some((one) =>
    String(one ?? '')
      .toLowerCase()
      .includes(text),
  );
const isBelow = (value: Value, max: number): boolean => typeof value === 'number' && value <= max;

/** Filters with the expected sessions. */
const filters: readonly (readonly [SessionFilter, (session: Listed) => boolean])[] = [
  [{}, () => true],
  [{ proposal: 'mx2' }, ({ proposal }) => proposal === 'mx2'],
  [{ submitter: 'ada' }, ({ submitter }) => submitter === 'ada'],
  [{ outcome: 'cancelled' }, ({ outcome }) => outcome === 'cancelled'],
  [{ status: 'running', beamline: 'i24' }, ({ status, beamline }) => status === 'running' && beamline === 'i24'],
  [{ ligand: 'NUT' }, ({ ligand }) => ligand === 'NUT'],
  [{ ligand: 'NAG', rFree: { max: 0.25 } }, ({ ligand, rFree }) => ligand === 'NAG' && isBelow(rFree, 0.25)],
  [{ failure: 'PROGRAM 12' }, ({ failure }) => failure === 'program 12 stopped'],
  [{ text: 'Sample-8F14' }, (session) => contains('sample-8f14', session)],
  [{ text: 'lysozyme 100%' }, (session) => contains('lysozyme 100%', session)],
  [{ text: 'lysozyme 1_' }, (session) => contains('lysozyme 1_', session)],
  [{ text: 'a\\b' }, (session) => contains('a\\b', session)],
  [{ text: 'protein of crystal 7' }, () => false],
  [
    { spaceGroup: 'C 1 2 1', resolution: { max: 2 } },
    (one) => one.spaceGroup === 'C 1 2 1' && isBelow(one.resolution, 2),
  ],
  [{ within: [{ proposal: 'mx3' }, { beamline: 'i04' }] }, (one) => one.proposal === 'mx3' || one.beamline === 'i04'],
];

/** Ids in list order: without a value last, equal values newest first (descending: oldest first). */
const sorted = (found: readonly Listed[], order: SessionOrder): readonly string[] => {
  const sort = order.replace('-', '') as SessionSort;
  const [direction, age] = order.startsWith('-') ? [-1, 1] : [1, sort === 'created' ? 1 : -1];
  const compare = (one: string | number, other: string | number): number => (one < other ? -1 : one > other ? 1 : 0);
  return [...found]
    .sort((one, other) => {
      const [left, right] = [one[sort], other[sort]];
      const byValue =
        left === null || right === null
          ? compare(Number(left === null), Number(right === null))
          : direction * compare(left, right);
      const byTime = age * compare(Number(one.created), Number(other.created));
      const byId = (sort === 'created' ? direction : age) * compare(one.id, other.id);
      return byValue || byTime || byId;
    })
    .map(({ id }) => id);
};

describe('pages of every filter in every order', () => {
  let context: StoreContext;
  let store: PostgresStore;
  beforeEach(async () => {
    context = await databases.context();
    store = new PostgresStore(context.db, context.clock);
    for (const { id, created, title, sample, proposal, beamline, submitter, ligand, ...learnt } of sessions) {
      const labels = { title: String(title), proposal: String(proposal), beamline: String(beamline) };
      const named = sample === null ? {} : { sample: String(sample) };
      const request = aRequest({ ...labels, ...named, submitter: String(submitter), ligands: [{ code: ligand }] });
      const createdAt = new Date(Number(created)).toISOString();
      await store.records.create(aNewSession({ id, createdAt, request }), [], 1000);
      const { ended, status, outcome, spaceGroup, resolution, rFree, mapCc, failure } = learnt;
      const endedAt = ended === null ? null : new Date(Number(ended));
      await sql`UPDATE sessions SET ended_at = ${endedAt}, status = ${status}, outcome = ${outcome}, space_group = ${spaceGroup},
        resolution = ${resolution}, r_free = ${rFree}, map_cc = ${mapCc}, failure = ${failure} WHERE id = ${id}`.execute(
        context.db,
      );
    }
    await sql`VACUUM ANALYZE sessions`.execute(context.db);
  });

  const listed = async (filter: SessionFilter, order: SessionOrder): Promise<readonly string[]> => {
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await store.index.list(filter, 9, cursor, order);
      found.push(...page.sessions.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return found;
  };

  it.each([
    ['as the planner chooses', 'SET enable_seqscan = on'],
    ['by indexes', 'SET enable_seqscan = off'],
    ['by walks through an index', 'SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_sort = off'],
  ])('contain every session once, in order, %s', async (_, settings) => {
    // Sequential calls use the one open connection.
    await sql.raw(settings).execute(context.db);
    for (const [filter, isFound] of filters)
      for (const order of sessionOrders) {
        const expected = { filter, order, ids: sorted(sessions.filter(isFound), order) };
        expect({ filter, order, ids: await listed(filter, order) }).toEqual(expected);
      }
  });
});
