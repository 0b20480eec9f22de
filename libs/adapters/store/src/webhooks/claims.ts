import { sql, type Selectable, type Transaction } from 'kysely';
import { isDescribed } from '@fleet/contracts/schema';
import { mailAddressOf, noticeSchema } from '@fleet/contracts/webhooks';
import type { ClaimedDeliveries, ClaimLimits, Delivery, DeliveryContent } from '@fleet/ports';
import type { Tables } from '../tables';

type WebhookRow = Selectable<Tables['webhooks']>;

const minuteMs = 60_000;

/** A stored notice; undefined if unreadable. */
export const readable = (notice: DeliveryContent): DeliveryContent | undefined =>
  isDescribed(noticeSchema, notice.notice) ? notice : undefined;

/**
 * The longest-waiting webhook with due notices that no other gateway is claiming. Reads only webhooks with queued
 * notices, each by its first queue.
 */
const firstDue = async (tx: Transaction<Tables>, now: Date): Promise<WebhookRow | undefined> => {
  const { rows } = await sql<WebhookRow>`
    WITH RECURSIVE first AS (
      (SELECT webhook, due_at FROM notice_queues ORDER BY webhook, due_at LIMIT 1)
      UNION ALL
      SELECT next.* FROM first CROSS JOIN LATERAL (
        SELECT webhook, due_at FROM notice_queues WHERE webhook > first.webhook ORDER BY webhook, due_at LIMIT 1) AS next
    )
    SELECT webhooks.* FROM first JOIN webhooks ON id = first.webhook
    WHERE due_at <= ${now} AND (held_until IS NULL OR held_until <= ${now}) AND (busy_until IS NULL OR busy_until <= ${now})
    ORDER BY due_at LIMIT 1 FOR NO KEY UPDATE OF webhooks SKIP LOCKED`.execute(tx);
  return rows[0];
};

/**
 * When the collection of an e-mail ends; undefined without collection. It begins with the first notice; retries and
 * leftovers do not wait again.
 */
const gatheringEnd = async (tx: Transaction<Tables>, webhook: WebhookRow): Promise<Date | undefined> => {
  const { everyMinutes = 0 } = webhook.webhook;
  if (everyMinutes === 0) return undefined;
  const { since, attempts } = await tx
    .selectFrom('notice_queues')
    .select((eb) => [eb.fn.min('due_at').as('since'), eb.fn.max('attempts').as('attempts')])
    .where('webhook', '=', webhook.id)
    .executeTakeFirstOrThrow();
  if (attempts > 0 || since.getTime() <= (webhook.gathered_until?.getTime() ?? 0)) return undefined;
  return new Date(since.getTime() + everyMinutes * minuteMs);
};

/** Returns the first notices of each due queue. */
const giveOut = async (
  tx: Transaction<Tables>,
  webhook: string,
  {
    limit,
    ofEach,
    now,
    until,
  }: { readonly limit: number; readonly ofEach: number; readonly now: Date; readonly until: Date },
): Promise<readonly Delivery[]> => {
  const rows = await tx
    .selectFrom('notice_queues as queue')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('notices')
          .select(['number', 'id', 'notice'])
          .whereRef('notices.webhook', '=', 'queue.webhook')
          .whereRef('notices.subject', '=', 'queue.subject')
          .where('died_at', 'is', null)
          .orderBy('number')
          .limit(ofEach)
          .as('first'),
      (join) => join.onTrue(),
    )
    .select(['queue.subject', 'queue.attempts', 'first.id', 'first.notice'])
    .where('queue.webhook', '=', webhook)
    .where('queue.due_at', '<=', now)
    .orderBy('queue.due_at')
    .orderBy('queue.subject')
    .orderBy('first.number')
    .limit(limit)
    .forUpdate('queue')
    .execute();
  const given = new Set<string>();
  const deliveries = rows.map(({ subject, attempts, id, notice }) => {
    const tries = given.has(subject) ? 0 : attempts;
    given.add(subject);
    return { id, of: subject, attempts: tries, content: readable(notice) };
  });
  const subjects = [...given];
  // A microsecond apart, so that the next claim returns them in the same order.
  if (subjects.length > 0)
    await sql`
      UPDATE notice_queues SET due_at = ${until}::timestamptz - (${subjects.length} - given.place) * interval '1 microsecond'
      FROM unnest(${subjects}::text[]) WITH ORDINALITY AS given (subject, place)
      WHERE webhook = ${webhook} AND notice_queues.subject = given.subject`.execute(tx);
  return deliveries;
};

/** Claims the due notices of one webhook. `later`: the first webhook is not due yet. */
export const claimFirst = async (
  tx: Transaction<Tables>,
  { lines, leaseMs, mail }: ClaimLimits,
  now: Date,
): Promise<ClaimedDeliveries | 'later' | undefined> => {
  const found = await firstDue(tx, now);
  if (found === undefined) return undefined;
  const { id, webhook, failing } = found;
  const own = tx.updateTable('webhooks').where('id', '=', id);
  const isMail = mailAddressOf(webhook.url) !== undefined;
  const gathering = isMail ? await gatheringEnd(tx, found) : undefined;
  if (gathering !== undefined && gathering > now) {
    await own.set({ held_until: gathering, gathered_until: gathering }).execute();
    return 'later';
  }
  const until = new Date(now.getTime() + (isMail ? mail.leaseMs : leaseMs));
  const share = isMail ? { limit: mail.notices, ofEach: mail.notices } : { limit: lines, ofEach: 1 };
  const deliveries = await giveOut(tx, id, { ...share, now, until });
  // Another gateway has claimed and settled them meanwhile.
  if (deliveries.length === 0) return 'later';
  await own.set({ busy_until: until, ...(isMail && { gathered_until: until }) }).execute();
  return { webhook, failing, deliveries };
};
