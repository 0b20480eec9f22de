import type { Webhook, WebhookRemoval } from '@fleet/contracts/webhooks';
import type { KeptWebhooks, WebhookFiles, Webhooks } from '@fleet/ports';

/**
 * Webhooks in the database, with a copy on disk: an empty database is refilled before any notice is sent. A webhook
 * exists once its file does; a removal takes effect once its file exists.
 */
export class StoredWebhooks implements KeptWebhooks {
  private hasCompared = false;

  constructor(
    private readonly quick: Webhooks,
    private readonly files: WebhookFiles,
  ) {}

  async create(webhook: Webhook): Promise<void> {
    await this.files.create(webhook);
    await this.quick.create(webhook);
  }

  async find(id: string): Promise<Webhook | undefined> {
    await this.restore();
    return this.quick.find(id);
  }

  async list(): Promise<readonly Webhook[]> {
    await this.restore();
    return this.quick.list();
  }

  async remove(id: string, by: WebhookRemoval): Promise<boolean> {
    if ((await this.find(id)) === undefined) return false;
    await this.files.remove(id, by);
    return this.quick.remove(id, by);
  }

  /** Once per process: a database is not emptied under a process that has migrated it. */
  async restore(): Promise<void> {
    if (this.hasCompared) return;
    for (const { isRemoved, ...webhook } of await this.files.all()) {
      await this.quick.create(webhook);
      if (isRemoved) await this.quick.remove(webhook.id, { removedAt: webhook.createdAt, removedBy: '' });
    }
    this.hasCompared = true;
  }
}
