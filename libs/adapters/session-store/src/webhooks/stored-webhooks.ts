import type { Webhook, WebhookRemoval } from '@fleet/contracts';
import type { KeptWebhooks, WebhookFiles, Webhooks } from '@fleet/ports';

/** Webhooks where they are asked for, and whether those of the disk are among them. */
interface QuickWebhooks extends Webhooks {
  isRestored(): Promise<boolean>;
  noteRestored(): Promise<void>;
}

/**
 * Webhooks that are asked for in Redis and kept on the disk, in the way of the keys of the API: an emptied Redis gets them again before
 * anything is told. One exists once its file does; a removal counts once its file is there.
 */
export class StoredWebhooks implements KeptWebhooks {
  private hasCompared = false;

  constructor(
    private readonly quick: QuickWebhooks,
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

  /** The first time whatever Redis has: it may have lost a second of it in a power failure. */
  async restore(): Promise<void> {
    if (this.hasCompared && (await this.quick.isRestored())) return;
    for (const { isRemoved, ...webhook } of await this.files.all()) {
      if (isRemoved) await this.quick.remove(webhook.id, { removedAt: webhook.createdAt, removedBy: '' });
      else await this.quick.create(webhook);
    }
    await this.quick.noteRestored();
    this.hasCompared = true;
  }
}
