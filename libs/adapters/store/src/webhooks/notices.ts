import { sql, type ExpressionBuilder, type Transaction } from 'kysely';
import type { RowProgress, Session, SessionEvent } from '@fleet/contracts/sessions';
import type { WebhookSubject } from '@fleet/contracts/webhooks';
import type { DeliveryContent } from '@fleet/ports';
import { labelsOf, noticesOf, outcomeOf } from '@fleet/session-report';
import type { Database } from '../database';
import type { Tables } from '../tables';

/** Maximum queued notices per webhook: an endpoint that is down for weeks must not fill the disk. */
export const maxWaiting = 20_000;

/** A notice for one webhook: its id, and its session or batch. */
export interface QueuedNotice {
  readonly id: string;
  readonly subject: string;
  readonly notice: DeliveryContent;
}

type Subjects = Partial<Record<WebhookSubject, string | undefined>>;

/** Webhooks that subscribe to one of these subjects. */
const isAbout = (subjects: Subjects) => (eb: ExpressionBuilder<Tables, 'webhooks'>) =>
  eb.and([
    eb('removed_at', 'is', null),
    eb.or(
      Object.entries(subjects).flatMap(([kind, subject]) =>
        subject === undefined
          ? []
          : [eb.and([eb('subject', '=', subject), eb('subject_kind', '=', kind as WebhookSubject)])],
      ),
    ),
  ]);

/** Whether a webhook subscribes to one of these subjects. Most moves have none, and need no transaction for it. */
export const isSubscribed = async (db: Database, subjects: Subjects): Promise<boolean> =>
  (await db.selectFrom('webhooks').select('id').where(isAbout(subjects)).limit(1).executeTakeFirst()) !== undefined;

/** Number of queued notices of a webhook. */
export const waitingOf = async (tx: Transaction<Tables>, webhook: string): Promise<number> => {
  const { count } = await tx
    .selectFrom('notices')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('webhook', '=', webhook)
    .where('died_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
};

/** Appends notices to their queues. */
export const enqueue = async (
  tx: Transaction<Tables>,
  webhook: string,
  notices: readonly QueuedNotice[],
  now: Date,
): Promise<void> => {
  if (notices.length === 0) return;
  const subjects = [...new Set(notices.map(({ subject }) => subject))].sort();
  await tx
    .insertInto('notice_queues')
    .values(subjects.map((subject) => ({ webhook, subject, due_at: now })))
    // Locks the queue, so that it is not removed as empty meanwhile.
    .onConflict((conflict) =>
      conflict.columns(['webhook', 'subject']).doUpdateSet({ due_at: sql`notice_queues.due_at` }),
    )
    .execute();
  await tx
    .insertInto('notices')
    .values(notices.map(({ id, subject, notice }) => ({ webhook, id, subject, notice: JSON.stringify(notice) })))
    .execute();
};

/**
 * Queues the notices of one move or batch for all webhooks that subscribe to them. A webhook with too many queued
 * notices loses them. Locks each webhook against removal, and a webhook always before its queues.
 */
export const notify = async (
  tx: Transaction<Tables>,
  subjects: Subjects,
  notices: readonly QueuedNotice[],
  now: Date,
): Promise<void> => {
  if (notices.length === 0) return;
  const webhooks = await tx
    .selectFrom('webhooks')
    .select(['id', 'kinds'])
    .where(isAbout(subjects))
    .orderBy('id')
    .forKeyShare()
    .execute();
  for (const { id, kinds } of webhooks) {
    const wanted = notices.filter(({ notice }) => kinds.includes(notice.notice.kind));
    if (wanted.length === 0) continue;
    if ((await waitingOf(tx, id)) + wanted.length <= maxWaiting) await enqueue(tx, id, wanted, now);
    else
      await tx
        .updateTable('webhooks')
        .set((eb) => ({ lost: eb('lost', '+', wanted.length) }))
        .where('id', '=', id)
        .execute();
  }
};

/** What a session move reports. */
interface ReportedMove {
  readonly session: Pick<Session, 'id' | 'status' | 'stop' | 'version' | 'request'>;
  readonly events: readonly SessionEvent[];
  readonly progress: Pick<RowProgress, 'fit'>;
}

/** The notices of a session move, and their subjects. */
interface MoveNotices {
  readonly subjects: Subjects & { readonly proposal: string; readonly batch: string | undefined };
  readonly queued: readonly QueuedNotice[];
}

export const noticesOfMove = ({ session, events, progress }: ReportedMove, now: Date): MoveNotices => {
  const { id, status, stop, version } = session;
  const { fit } = progress;
  const outcome = outcomeOf({ status, stop, fit });
  const notices = noticesOf(events, stop && outcome && { stop, outcome, fit });
  const { title, proposal, beamline, batch } = labelsOf(session);
  // Versions restart when a session is recovered, so the time is part of the id.
  const base = [id, version, now.getTime()].join('-');
  const queued = notices.map((notice, index) => ({
    id: `${base}.${String(index)}`,
    subject: id,
    notice: { notice, title, proposal, beamline, batch },
  }));
  return { subjects: { session: id, proposal, batch }, queued };
};

/** Queues the notices of a session move, in its transaction. */
export const notifyOfMove = async (tx: Transaction<Tables>, notices: MoveNotices, now: Date): Promise<void> => {
  const { subjects, queued } = notices;
  const { proposal, batch } = subjects;
  await notify(tx, subjects, queued, now);
  if (batch !== undefined && queued.some(({ notice }) => notice.notice.kind === 'session.ended'))
    await noteBatchEnd(tx, { id: batch, proposal });
};

/** Something in a batch has ended: if a webhook subscribes to its end, `notifyOfBatches` checks the batch. */
export const noteBatchEnd = async (
  tx: Transaction<Tables>,
  { id, proposal }: { readonly id: string; readonly proposal: string },
): Promise<void> => {
  await tx
    .insertInto('batch_ends')
    .columns(['batch'])
    .expression((eb) =>
      eb
        .selectFrom('webhooks')
        .select(eb.cast<string>(eb.val(id), 'text').as('batch'))
        .where(isAbout({ batch: id, proposal }))
        .where(sql<boolean>`'batch.ended' = ANY(kinds)`)
        .limit(1),
    )
    .execute();
};
