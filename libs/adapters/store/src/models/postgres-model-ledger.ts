import { randomUUID } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import type { RequestedModel, ModelOutcome, ModelRequestEntry } from '@fleet/contracts/models';
import type { ModelBudgets, ModelLedger, ModelSpending, ModelWork, Reservation, ReservedRequest } from '@fleet/ports';
import { reachingStore, timeIn, type StoreContext } from '../database';
import type { Tables } from '../tables';

/** A worker without a heartbeat for this long counts as dead; heartbeats come every second. */
const silentMs = 15_000;

const dayMs = 86_400_000;
/** Lifetime of the account of a day, in milliseconds. */
const dayKeptMs = 8 * dayMs;

const lost: ModelOutcome = { result: 'lost', cost: null };

const units = ['requests', 'tokens', 'cost'] as const;

/** The accounts of a request, in the order in which all transactions lock them. */
const accountsOf = ({ session, proposal }: ModelWork, day: number) =>
  [
    { kind: 'session', name: session },
    { kind: 'proposal', name: proposal },
    { kind: 'day', name: String(day) },
  ] as const;

/** Creates missing accounts, and locks all. @returns what each has spent */
const lockAccounts = (
  tx: Transaction<Tables>,
  accounts: readonly { readonly kind: keyof ModelBudgets; readonly name: string; readonly kept_until?: Date }[],
) =>
  tx
    .insertInto('model_accounts')
    .values(accounts)
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'name'])
        .doUpdateSet({ kept_until: sql`coalesce(excluded.kept_until, model_accounts.kept_until)` }),
    )
    .returningAll()
    .execute();

const spend = async (
  tx: Transaction<Tables>,
  accounts: ReturnType<typeof accountsOf>,
  sign: 1 | -1,
  { requests, tokens, cost }: ModelSpending,
): Promise<void> => {
  for (const { kind, name } of accounts)
    await tx
      .updateTable('model_accounts')
      .set((eb) => ({
        requests: eb('requests', '+', sign * requests),
        tokens: eb('tokens', '+', sign * tokens),
        cost: eb('cost', '+', sign * cost),
      }))
      .where('kind', '=', kind)
      .where('name', '=', name)
      .execute();
};

/** A transaction first locks its work item, then accounts, then requests. */
export class PostgresModelLedger implements ModelLedger {
  /** The id of this process while it holds work items. */
  private readonly worker = randomUUID();

  constructor(private readonly context: StoreContext) {}

  async hold({ session, name, retentionMs }: ModelWork): Promise<boolean> {
    await this.forget();
    const mine = { worker: this.worker, held_until: timeIn(this.context, silentMs) };
    return this.changing(async (tx) => {
      const { numInsertedOrUpdatedRows } = await tx
        .insertInto('model_works')
        .values({ session, work: name, ...mine })
        .onConflict((conflict) =>
          conflict
            .columns(['session', 'work'])
            .doUpdateSet(mine)
            .where((eb) =>
              eb.or([
                eb('model_works.worker', '=', this.worker),
                eb('model_works.held_until', '<=', timeIn(this.context)),
              ]),
            ),
        )
        .executeTakeFirstOrThrow();
      if (numInsertedOrUpdatedRows === 0n) return false;
      if (retentionMs !== undefined)
        await lockAccounts(tx, [{ kind: 'session', name: session, kept_until: timeIn(this.context, retentionMs) }]);
      await tx
        .updateTable('model_requests')
        .set({ outcome: JSON.stringify(lost) })
        .where('session', '=', session)
        .where('work', '=', name)
        .where('outcome', 'is', null)
        .execute();
      return true;
    });
  }

  renew({ session, name }: ModelWork): Promise<boolean> {
    return reachingStore(async () => {
      const { numUpdatedRows } = await this.context.db
        .updateTable('model_works')
        .set({ held_until: timeIn(this.context, silentMs) })
        .where('session', '=', session)
        .where('work', '=', name)
        .where('worker', '=', this.worker)
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    });
  }

  async release({ session, name }: ModelWork): Promise<void> {
    await reachingStore(() =>
      this.context.db
        .deleteFrom('model_works')
        .where('session', '=', session)
        .where('work', '=', name)
        .where('worker', '=', this.worker)
        .execute(),
    );
  }

  reserve(work: ModelWork, asked: RequestedModel, most: ModelSpending, budgets: ModelBudgets): Promise<Reservation> {
    const { session, name } = work;
    const day = Math.floor(this.context.clock.now() / dayMs);
    return this.changing(async (tx): Promise<Reservation> => {
      const held = await tx
        .selectFrom('model_works')
        .select('worker')
        .where('session', '=', session)
        .where('work', '=', name)
        .forUpdate()
        .executeTakeFirst();
      if (held?.worker !== this.worker) return { refused: 'not_held' };
      const accounts = accountsOf(work, day);
      const keptUntil = timeIn(this.context, dayKeptMs);
      const spent = await lockAccounts(
        tx,
        accounts.map((account) => (account.kind === 'day' ? { ...account, kept_until: keptUntil } : account)),
      );
      const exceeded = spent.find(({ kind, ...before }) =>
        units.some((unit) => before[unit] + most[unit] > (budgets[kind]?.[unit] ?? Infinity)),
      );
      if (exceeded !== undefined) return { refused: { budget: exceeded.kind } };
      await spend(tx, accounts, 1, most);
      const { number } = await tx
        .insertInto('model_requests')
        .values((eb) => ({
          session,
          number: eb
            .selectFrom('model_requests')
            .select(sql<number>`coalesce(max(number), 0) + 1`.as('next'))
            .where('session', '=', session),
          work: name,
          request: JSON.stringify(asked),
        }))
        .returning('number')
        .executeTakeFirstOrThrow();
      return { number, day };
    });
  }

  async settle(
    work: ModelWork,
    { number, day }: ReservedRequest,
    outcome: ModelOutcome,
    less: ModelSpending,
  ): Promise<void> {
    await this.changing(async (tx) => {
      await spend(tx, accountsOf(work, day), -1, less);
      await tx
        .updateTable('model_requests')
        .set({ outcome: JSON.stringify(outcome) })
        .where('session', '=', work.session)
        .where('number', '=', number)
        .execute();
    });
  }

  entries(session: string): Promise<readonly ModelRequestEntry[]> {
    return reachingStore(async () => {
      const { db } = this.context;
      const rows = await db
        .selectFrom('model_requests')
        .selectAll()
        .where('session', '=', session)
        .orderBy('number')
        .execute();
      return rows.map(({ number, work, request, outcome }) => ({ number, work, ...request, ...outcome }));
    });
  }

  /** Deletes expired accounts, with the requests and work items of their sessions. */
  private async forget(): Promise<void> {
    await reachingStore(() =>
      sql`
        WITH gone AS (DELETE FROM model_accounts WHERE kept_until <= ${timeIn(this.context)} RETURNING kind, name),
          requests AS (DELETE FROM model_requests USING gone WHERE kind = 'session' AND session = name)
        DELETE FROM model_works USING gone WHERE kind = 'session' AND session = name`.execute(this.context.db),
    );
  }

  private changing<T>(act: (tx: Transaction<Tables>) => Promise<T>): Promise<T> {
    return reachingStore(() => this.context.db.transaction().execute(act));
  }
}
