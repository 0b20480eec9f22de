import { sql } from 'kysely';
import type { DeadNotice, DeliveryState } from '@fleet/contracts/webhooks';
import type { ClaimedDeliveries, ClaimLimits, Deliveries, Delivery, Failure } from '@fleet/ports';
import { reachingStore, timeIn, type StoreContext } from '../database';
import { claimFirst, readable } from './claims';
import { notifyOfBatches } from './ended-batches';
import { enqueue, maxWaiting, waitingOf } from './notices';
import { lockHead, lockWebhook, type QueueHead } from './queue-head';

/** Maximum length of a stored reason, in characters. */
const longestWhy = 500;

export class PostgresDeliveries implements Deliveries {
  constructor(private readonly context: StoreContext) {}

  async claim(limits: ClaimLimits): Promise<ClaimedDeliveries | undefined> {
    for (;;) {
      const claimed = await reachingStore(() =>
        this.context.db.transaction().execute((tx) => claimFirst(tx, limits, timeIn(this.context))),
      );
      if (claimed !== 'later') return claimed;
    }
  }

  delivered(webhook: string, delivery: Pick<Delivery, 'id' | 'of'>): Promise<boolean> {
    return this.settle(webhook, delivery, async (head, now) => {
      await head.remove(now);
      await head.setWebhook({
        delivered: sql<number>`delivered + 1`,
        last_delivered_at: now,
        failing: 0,
        held_until: null,
      });
      return true;
    });
  }

  failed(
    webhook: string,
    delivery: Pick<Delivery, 'id' | 'of' | 'attempts'>,
    { why, againInMs, holdMs, failing }: Failure,
  ): Promise<boolean> {
    const reason = why.slice(0, longestWhy);
    return this.settle(webhook, delivery, async (head, now) => {
      // Another gateway has tried it since.
      if (head.attempts !== delivery.attempts) return false;
      const lost = againInMs === 'never' ? await head.die(now, reason) : 0;
      if (againInMs !== 'never') await head.postpone(timeIn(this.context, againInMs));
      await head.setWebhook({
        last_failed_at: now,
        last_failure: reason,
        failing,
        lost: sql<number>`lost + ${lost}`,
        ...(holdMs > 0 && { held_until: timeIn(this.context, holdMs) }),
      });
      return true;
    });
  }

  async release(webhook: string): Promise<void> {
    const now = timeIn(this.context);
    await reachingStore(() =>
      this.context.db
        .updateTable('webhooks')
        .set({
          busy_until: null,
          gathered_until: sql`CASE WHEN gathered_until IS NOT NULL THEN ${now}::timestamptz END`,
        })
        .where('id', '=', webhook)
        .execute(),
    );
  }

  state(webhook: string): Promise<DeliveryState> {
    return reachingStore(async () => {
      const row = await this.context.db
        .selectFrom('webhooks')
        .leftJoin('notices', 'notices.webhook', 'webhooks.id')
        .selectAll('webhooks')
        .select((eb) => [
          eb.fn.count<string>('notices.number').as('notices'),
          eb.fn.count<string>('notices.died_at').as('dead'),
        ])
        .where('webhooks.id', '=', webhook)
        .groupBy('webhooks.id')
        .executeTakeFirst();
      if (row === undefined) return { waiting: 0, delivered: 0, dead: 0, lost: 0, failing: 0 };
      const { notices, dead, delivered, lost, failing } = row;
      const counts = { waiting: Number(notices) - Number(dead), dead: Number(dead), delivered, lost, failing };
      return {
        ...counts,
        ...(row.last_delivered_at !== null && { lastDeliveredAt: row.last_delivered_at.toISOString() }),
        ...(row.last_failed_at !== null && { lastFailedAt: row.last_failed_at.toISOString() }),
        ...(row.last_failure !== null && { lastFailure: row.last_failure }),
      };
    });
  }

  dead(webhook: string, limit: number): Promise<readonly DeadNotice[]> {
    return reachingStore(async () => {
      const rows = await this.context.db
        .selectFrom('notices')
        .selectAll()
        .where('webhook', '=', webhook)
        .where('died_at', 'is not', null)
        .orderBy('died_at', 'desc')
        .orderBy('number', 'desc')
        .limit(limit)
        .execute();
      return rows.map(({ id, subject, attempts, died_at: at, why, notice }) => {
        const content = readable(notice)?.notice;
        return {
          id,
          of: subject,
          attempts: attempts ?? 0,
          diedAt: at?.toISOString() ?? '',
          why: why ?? '',
          ...(content !== undefined && { kind: content.kind, at: content.at }),
        };
      });
    });
  }

  replay(webhook: string, ids?: readonly string[]): Promise<number> {
    return reachingStore(() =>
      this.context.db.transaction().execute(async (tx) => {
        if (!(await lockWebhook(tx, webhook))) return 0;
        let dead = tx
          .selectFrom('notices')
          .selectAll()
          .where('webhook', '=', webhook)
          .where('died_at', 'is not', null)
          .orderBy('died_at')
          .orderBy('number')
          .limit(Math.max(0, maxWaiting - (await waitingOf(tx, webhook))));
        if (ids !== undefined) dead = dead.where('id', 'in', ids);
        const rows = await dead.execute();
        if (rows.length === 0) return 0;
        const numbers = rows.map(({ number }) => number);
        await tx.deleteFrom('notices').where('number', 'in', numbers).execute();
        await enqueue(tx, webhook, rows, timeIn(this.context));
        return rows.length;
      }),
    );
  }

  async noticeBatches(limit: number): Promise<void> {
    const { db } = this.context;
    await reachingStore(async () => {
      const any = await db.selectFrom('batch_ends').select('number').limit(1).executeTakeFirst();
      if (any !== undefined) await db.transaction().execute((tx) => notifyOfBatches(tx, limit, timeIn(this.context)));
    });
  }

  /** @returns false if the notice is no longer the first of its queue, or if `act` returns false */
  private settle(
    webhook: string,
    delivery: Pick<Delivery, 'id' | 'of'>,
    act: (head: QueueHead, now: Date) => Promise<boolean>,
  ): Promise<boolean> {
    return reachingStore(() =>
      this.context.db.transaction().execute(async (tx) => {
        const head = await lockHead(tx, webhook, delivery);
        return head !== undefined && act(head, timeIn(this.context));
      }),
    );
  }
}
