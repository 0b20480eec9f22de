import type { Webhook, WebhookRemoval } from '@fleet/contracts/webhooks';
import type { Webhooks } from '@fleet/ports';
import { reachingStore, type StoreContext } from '../database';

export class PostgresWebhooks implements Webhooks {
  constructor(private readonly context: StoreContext) {}

  async create(webhook: Webhook): Promise<void> {
    const { id, about, kinds, createdAt } = webhook;
    await reachingStore(() =>
      this.context.db
        .insertInto('webhooks')
        .values({
          id,
          subject_kind: about.what,
          subject: about.name,
          kinds,
          created_at: new Date(createdAt),
          webhook: JSON.stringify(webhook),
        })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute(),
    );
  }

  find(id: string): Promise<Webhook | undefined> {
    return reachingStore(async () => (await this.current().where('id', '=', id).executeTakeFirst())?.webhook);
  }

  list(): Promise<readonly Webhook[]> {
    return reachingStore(async () => {
      const rows = await this.current().orderBy('created_at').orderBy('id').execute();
      return rows.map(({ webhook }) => webhook);
    });
  }

  remove(id: string, { removedAt, removedBy }: WebhookRemoval): Promise<boolean> {
    return reachingStore(() =>
      this.context.db.transaction().execute(async (tx) => {
        // Waits for moves that queue notices for it; later ones see the removal.
        const found = await tx
          .selectFrom('webhooks')
          .select('id')
          .where('id', '=', id)
          .where('removed_at', 'is', null)
          .forUpdate()
          .executeTakeFirst();
        if (found === undefined) return false;
        await tx
          .updateTable('webhooks')
          .set({ removed_at: new Date(removedAt), removed_by: removedBy })
          .where('id', '=', id)
          .execute();
        await tx.deleteFrom('notice_queues').where('webhook', '=', id).execute();
        await tx.deleteFrom('notices').where('webhook', '=', id).execute();
        return true;
      }),
    );
  }

  private current() {
    return this.context.db.selectFrom('webhooks').select('webhook').where('removed_at', 'is', null);
  }
}
