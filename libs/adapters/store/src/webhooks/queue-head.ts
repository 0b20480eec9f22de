import type { Selectable, Transaction, Updateable, UpdateObject } from 'kysely';
import type { Delivery } from '@fleet/ports';
import type { Tables } from '../tables';

type NoticeRow = Selectable<Tables['notices']>;

/** Maximum dead notices stored per webhook. */
const maxDead = 1000;

/** Locks a webhook, in lock order: webhooks before their queues. */
export const lockWebhook = async (tx: Transaction<Tables>, id: string): Promise<boolean> => {
  const found = await tx
    .selectFrom('webhooks')
    .select('id')
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return found !== undefined;
};

const firstOf = (tx: Transaction<Tables>, webhook: string, subject: string): Promise<NoticeRow | undefined> =>
  tx
    .selectFrom('notices')
    .selectAll()
    .where('webhook', '=', webhook)
    .where('subject', '=', subject)
    .where('died_at', 'is', null)
    .orderBy('number')
    .limit(1)
    .executeTakeFirst();

/** A notice at the head of its queue, which its transaction locks. */
export class QueueHead {
  constructor(
    private readonly tx: Transaction<Tables>,
    readonly row: NoticeRow,
    readonly attempts: number,
  ) {}

  async setWebhook(columns: UpdateObject<Tables, 'webhooks'>): Promise<void> {
    await this.tx.updateTable('webhooks').set(columns).where('id', '=', this.row.webhook).execute();
  }

  /** The same notice is retried. */
  async postpone(due: Date): Promise<void> {
    await this.setQueue({ due_at: due, attempts: this.attempts + 1 });
  }

  async remove(now: Date): Promise<void> {
    await this.tx.deleteFrom('notices').where('number', '=', this.row.number).execute();
    await this.goOn(now);
  }

  /** @returns number of older dead notices that were dropped */
  async die(now: Date, why: string): Promise<number> {
    const { number, webhook } = this.row;
    await this.tx
      .updateTable('notices')
      .set({ died_at: now, attempts: this.attempts + 1, why })
      .where('number', '=', number)
      .execute();
    await this.goOn(now);
    const { numDeletedRows } = await this.tx
      .deleteFrom('notices')
      .where('number', 'in', (eb) =>
        eb
          .selectFrom('notices')
          .select('number')
          .where('webhook', '=', webhook)
          .where('died_at', 'is not', null)
          .orderBy('died_at', 'desc')
          .orderBy('number', 'desc')
          .offset(maxDead),
      )
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  }

  /** Makes the next notice due; removes an empty queue. */
  private async goOn(now: Date): Promise<void> {
    const { webhook, subject } = this.row;
    const next = await firstOf(this.tx, webhook, subject);
    if (next !== undefined) await this.setQueue({ due_at: now, attempts: 0 });
    else
      await this.tx.deleteFrom('notice_queues').where('webhook', '=', webhook).where('subject', '=', subject).execute();
  }

  private async setQueue(columns: Updateable<Tables['notice_queues']>): Promise<void> {
    const { webhook, subject } = this.row;
    await this.tx
      .updateTable('notice_queues')
      .set(columns)
      .where('webhook', '=', webhook)
      .where('subject', '=', subject)
      .execute();
  }
}

/** Locks the queue of a notice; undefined if it is no longer the first. */
export const lockHead = async (
  tx: Transaction<Tables>,
  webhook: string,
  { id, of: subject }: Pick<Delivery, 'id' | 'of'>,
): Promise<QueueHead | undefined> => {
  if (!(await lockWebhook(tx, webhook))) return undefined;
  const queue = await tx
    .selectFrom('notice_queues')
    .select('attempts')
    .where('webhook', '=', webhook)
    .where('subject', '=', subject)
    .forUpdate()
    .executeTakeFirst();
  const row = await firstOf(tx, webhook, subject);
  return queue === undefined || row?.id !== id ? undefined : new QueueHead(tx, row, queue.attempts);
};
