import { sql, type Selectable, type Transaction } from 'kysely';
import { attemptOfName } from '@fleet/contracts/runs';
import type { Claimant, Nodes, SharedRun, SiteLimits, SlotClaim, Start } from '@fleet/fair-shares';
import {
  dayOf,
  isoOf,
  type RunCensus,
  type RunSlots,
  type SlotAnswer,
  type WaitKind,
  type QueueSnapshot,
} from '@fleet/ports';
import { reachingStore, type StoreContext } from '../database';
import type { Tables } from '../tables';

type Line = Selectable<Tables['launch_line']>;

/** Weight of the newest run in the mean slot time. */
const newest = 0.1;

/** A change of the queue, which it locks by its row. */
class LineChange {
  constructor(
    private readonly tx: Transaction<Tables>,
    readonly line: Line,
    private readonly now: number,
  ) {}

  async set(columns: Partial<Pick<Line, 'turn' | 'revision' | 'no_room' | 'arrived'>>): Promise<void> {
    await this.tx.updateTable('launch_line').set(columns).execute();
  }

  async find(name: string): Promise<Selectable<Tables['runs']> | undefined> {
    return this.tx.selectFrom('runs').selectAll().where('name', '=', name).executeTakeFirst();
  }

  /** Stores the known data of a run; `overwrites`: replaces existing ones. */
  async know(run: SharedRun, overwrites = false): Promise<void> {
    const columns = { nodes: run.nodes, run: JSON.stringify(run) };
    await this.tx
      .insertInto('runs')
      .values({ name: run.name, ...columns, in_line: false, stuck: false })
      .onConflict((conflict) =>
        overwrites ? conflict.column('name').doUpdateSet(columns) : conflict.column('name').doNothing(),
      )
      .execute();
  }

  async change(name: string, columns: Partial<Omit<Selectable<Tables['runs']>, 'name' | 'run'>>): Promise<void> {
    await this.tx.updateTable('runs').set(columns).where('name', '=', name).execute();
  }

  /** Queues a run; one that is sent back keeps its position. */
  async queue(name: string): Promise<void> {
    const known = await this.find(name);
    const arrived = String(BigInt(this.line.arrived) + 1n);
    if (known?.arrival == null) await this.set({ arrived });
    const since = known?.waits_since ?? new Date(this.now);
    await this.change(name, { in_line: true, waits_since: since, arrival: known?.arrival ?? arrived });
  }

  async hold({ name }: SharedRun, claims: readonly SlotClaim[]): Promise<void> {
    const keys = claims.map(({ key }) => key);
    await this.change(name, { keys, held_from: new Date(this.now), in_line: false, stuck: false });
  }

  async start(run: SharedRun, claims: readonly SlotClaim[], quotas: readonly SlotClaim[]): Promise<void> {
    await this.hold(run, claims);
    for (const { key } of quotas)
      await this.tx
        .insertInto('starts_of_days')
        .values({ day: dayOf(this.now), key, count: 1 })
        .onConflict((conflict) =>
          conflict.columns(['day', 'key']).doUpdateSet({ count: sql`starts_of_days.count + 1` }),
        )
        .execute();
  }

  async setTurn(proposal: string, turn: number): Promise<void> {
    await this.tx
      .insertInto('turns')
      .values({ proposal, turn })
      .onConflict((conflict) => conflict.column('proposal').doUpdateSet({ turn }))
      .execute();
  }

  async turnOf(proposal: string): Promise<number> {
    const { tx } = this;
    const found = await tx.selectFrom('turns').select('turn').where('proposal', '=', proposal).executeTakeFirst();
    return found?.turn ?? 0;
  }

  async waitingBeside(name: string): Promise<boolean> {
    const query = this.tx.selectFrom('runs').select('name').where('in_line', '=', true).where('name', '!=', name);
    return (await query.limit(1).executeTakeFirst()) !== undefined;
  }

  async fullOf(claims: readonly SlotClaim[], quotas: readonly SlotClaim[]): Promise<SlotClaim | undefined> {
    const [taken, started] = [await takenOf(this.tx), await startedOn(this.tx, dayOf(this.now))];
    return (
      quotas.find(({ key, limit }) => limit > 0 && (started[key] ?? 0) >= limit) ??
      claims.find(({ key, limit }) => limit > 0 && (taken[key] ?? 0) >= limit)
    );
  }
}

type Reader = Pick<Transaction<Tables>, 'selectFrom'>;

const takenOf = async (db: Reader): Promise<Readonly<Record<string, number>>> => {
  const found = await db.selectFrom('runs').select('keys').where('keys', 'is not', null).execute();
  const counts: Record<string, number> = {};
  for (const key of found.flatMap(({ keys }) => keys ?? [])) counts[key] = (counts[key] ?? 0) + 1;
  return counts;
};

const startedOn = async (db: Reader, day: string): Promise<Readonly<Record<string, number>>> => {
  const found = await db.selectFrom('starts_of_days').select(['key', 'count']).where('day', '=', day).execute();
  return Object.fromEntries(found.map(({ key, count }) => [key, count]));
};

/**
 * Whether the session of an attempt has left it: a late report that it runs then arrives after its slot was released.
 * The session moves before the release, which waits for the queue's lock.
 */
const isOver = async (db: Reader, name: string): Promise<boolean> => {
  const of = attemptOfName(name);
  if (of === undefined) return false;
  const session = await db
    .selectFrom('sessions')
    .select(['stage', 'cycle', 'attempt', 'ended_at'])
    .where('id', '=', of.sessionId)
    .executeTakeFirst();
  if (session === undefined) return false;
  const { stage, cycle, attempt, ended_at: endedAt } = session;
  return stage !== 'executing' || cycle !== of.cycle || attempt !== of.attempt || endedAt !== null;
};

export class PostgresRunSlots implements RunSlots {
  constructor(private readonly context: StoreContext) {}

  ask({ run, claims, quotas, weight }: Claimant, countedWithinMs: number): Promise<SlotAnswer> {
    return this.changing(async (change, now) => {
      const known = await change.find(run.name);
      if (known?.keys != null) return { taken: true, before: true };
      const { counted_at: countedAt } = change.line;
      if (countedAt === null || countedAt.getTime() < now - countedWithinMs) return { taken: false, uncounted: true };
      const full = await change.fullOf(claims, quotas);
      await change.know(run, true);
      if (full !== undefined || (await change.waitingBeside(run.name))) {
        await change.queue(run.name);
        return { taken: false, ...(full !== undefined && { full }) };
      }
      const turn = Math.max(change.line.turn, await change.turnOf(run.proposal));
      await change.setTurn(run.proposal, turn + 1 / weight);
      await change.start(run, claims, quotas);
      await change.set({ no_room: [], turn, revision: nextRevision(change.line) });
      return { taken: true, before: false };
    });
  }

  line(): Promise<QueueSnapshot> {
    const now = this.context.clock.now();
    return reachingStore(() =>
      // One consistent read.
      this.context.db
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute(async (tx) => {
          const line = await tx.selectFrom('launch_line').selectAll().executeTakeFirstOrThrow();
          const found = await tx
            .selectFrom('runs')
            .selectAll()
            .where('in_line', '=', true)
            .orderBy('arrival')
            .execute();
          const turns = await tx.selectFrom('turns').selectAll().execute();
          return {
            revision: Number(line.revision),
            waiters: found.map(({ run, waits_since: since, arrival }) => {
              return { ...run, since: since?.getTime() ?? now, arrival: Number(arrival) };
            }),
            typicalMs: line.typical_ms,
            ...(line.site !== null && { site: line.site }),
            census: {
              now,
              taken: await takenOf(tx),
              started: await startedOn(tx, dayOf(now)),
              turns: Object.fromEntries(turns.map(({ proposal, turn }) => [proposal, turn])),
              turn: line.turn,
              noRoom: [...line.no_room].sort(),
            },
          };
        }),
    );
  }

  grant(starts: readonly Start[], revision: number): Promise<readonly string[] | undefined> {
    return this.changing(async (change, now, tx) => {
      if (Number(change.line.revision) !== revision) return undefined;
      const granted: string[] = [];
      let { turn } = change.line;
      for (const start of starts) {
        const { run, claims, quotas } = start;
        const waits = (await change.find(run.name))?.in_line === true;
        if (!waits || (await change.fullOf(claims, quotas)) !== undefined) continue;
        await change.start(run, claims, quotas);
        await change.setTurn(run.proposal, start.nextTurn);
        ({ turn } = start);
        granted.push(run.name);
      }
      await change.set({ turn, revision: nextRevision(change.line) });
      const sessions = granted.flatMap((name) => attemptOfName(name)?.sessionId ?? []);
      if (sessions.length > 0)
        await tx
          .updateTable('owed')
          .set({ due_at: new Date(now) })
          .where('session', 'in', sessions)
          .execute();
      return granted;
    });
  }

  async running({ run, claims }: Claimant): Promise<void> {
    await this.changing(async (change, _, tx) => {
      if (await isOver(tx, run.name)) return;
      await change.know(run);
      if ((await change.find(run.name))?.keys == null) await change.hold(run, claims);
      await change.change(run.name, { waits_since: null, arrival: null, in_line: false, stuck: false });
    });
  }

  async waiting(run: SharedRun, kind: WaitKind): Promise<void> {
    await this.changing(async (change, now, tx) => {
      if (await isOver(tx, run.name)) return;
      await change.know(run);
      const known = await change.find(run.name);
      if (kind === 'no_room' || kind === 'held') {
        await change.change(run.name, { keys: null, held_from: null, stuck: false });
        await change.queue(run.name);
        if (kind === 'no_room') await change.set({ no_room: [...new Set([...change.line.no_room, run.nodes])] });
        return;
      }
      const since = known?.waits_since ?? new Date(now);
      await change.change(run.name, { waits_since: since, in_line: false, stuck: kind === 'stuck' });
    });
  }

  release(name: string): Promise<boolean> {
    return this.changing(async (change, now, tx) => {
      const known = await change.find(name);
      if (known?.held_from != null) {
        const typical = meanWith(change.line.typical_ms, known.nodes, now - known.held_from.getTime());
        await tx
          .updateTable('launch_line')
          .set({ typical_ms: JSON.stringify(typical) })
          .execute();
      }
      await tx.deleteFrom('runs').where('name', '=', name).execute();
      return change.waitingBeside(name);
    });
  }

  stuck(): Promise<readonly string[]> {
    return this.names((db) => db.selectFrom('runs').select('name').where('stuck', '=', true));
  }

  members(): Promise<readonly string[]> {
    return this.names((db) =>
      db
        .selectFrom('runs')
        .select('name')
        .where((eb) => eb.or([eb('keys', 'is not', null), eb('waits_since', 'is not', null)])),
    );
  }

  async counted(site: SiteLimits): Promise<void> {
    await this.changing(async (change, now, tx) => {
      await tx.deleteFrom('starts_of_days').where('day', '!=', dayOf(now)).execute();
      await tx.deleteFrom('turns').where('turn', '<=', change.line.turn).execute();
      await tx
        .updateTable('launch_line')
        .set({ site: JSON.stringify(site), counted_at: new Date(now) })
        .execute();
    });
  }

  census(): Promise<RunCensus> {
    return reachingStore(async () => {
      const { db } = this.context;
      const { waiting, since } = await db
        .selectFrom('runs')
        .select((eb) => [eb.fn.countAll<string>().as('waiting'), eb.fn.min('waits_since').as('since')])
        .where('waits_since', 'is not', null)
        .executeTakeFirstOrThrow();
      return {
        taken: await takenOf(db),
        waiting: Number(waiting),
        ...(since instanceof Date && { oldestWaitingSince: isoOf(since.getTime()) }),
      };
    });
  }

  private changing<T>(act: (change: LineChange, now: number, tx: Transaction<Tables>) => Promise<T>): Promise<T> {
    return reachingStore(() =>
      this.context.db.transaction().execute(async (tx) => {
        const line = await tx.selectFrom('launch_line').selectAll().forUpdate().executeTakeFirstOrThrow();
        // The time when the lock is held, not when the call came: times are in the order of the changes.
        const now = this.context.clock.now();
        return act(new LineChange(tx, line, now), now, tx);
      }),
    );
  }

  private names(
    query: (db: StoreContext['db']) => { execute(): Promise<readonly { readonly name: string }[]> },
  ): Promise<readonly string[]> {
    return reachingStore(async () => (await query(this.context.db).execute()).map(({ name }) => name).sort());
  }
}

const nextRevision = ({ revision }: Line): string => String(BigInt(revision) + 1n);

/** Mean slot time including one more run, in whole milliseconds. */
const meanWith = (
  typical: Readonly<Partial<Record<Nodes, number>>>,
  nodes: Nodes,
  length: number,
): Readonly<Partial<Record<Nodes, number>>> => {
  const before = typical[nodes] ?? 0;
  return { ...typical, [nodes]: Math.floor(before === 0 ? length : (1 - newest) * before + newest * length) };
};
