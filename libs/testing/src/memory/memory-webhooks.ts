import type { Webhook } from '@fleet/contracts';
import type { KeptWebhooks } from '@fleet/ports';
import { byAge } from './listed';

/** The twin for tests of other parts: same rules (it passes the same contract), gone with the process. */
export class MemoryWebhooks implements KeptWebhooks {
  private readonly webhooks = new Map<string, Webhook>();
  private readonly removed = new Set<string>();
  private restored = false;

  create(webhook: Webhook): Promise<void> {
    if (!this.removed.has(webhook.id)) this.webhooks.set(webhook.id, webhook);
    return Promise.resolve();
  }

  find(id: string): Promise<Webhook | undefined> {
    return Promise.resolve(this.webhooks.get(id));
  }

  list(): Promise<readonly Webhook[]> {
    return Promise.resolve([...this.webhooks.values()].sort(byAge));
  }

  remove(id: string): Promise<boolean> {
    if (this.webhooks.has(id)) this.removed.add(id);
    return Promise.resolve(this.webhooks.delete(id));
  }

  restore(): Promise<void> {
    return Promise.resolve();
  }

  isRestored(): Promise<boolean> {
    return Promise.resolve(this.restored);
  }

  noteRestored(): Promise<void> {
    this.restored = true;
    return Promise.resolve();
  }
}
