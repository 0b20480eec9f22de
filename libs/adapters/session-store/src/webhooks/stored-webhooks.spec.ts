import type { Webhook, WebhookRemoval } from '@fleet/contracts';
import type { WebhookFiles, Webhooks } from '@fleet/ports';
import { aWebhook, webhooksContract, type Made } from '@fleet/testing';
import { MemoryWebhooks } from './memory-webhooks';
import { StoredWebhooks } from './stored-webhooks';

/** A disk in memory. */
class Files implements WebhookFiles {
  readonly kept = new Map<string, Webhook & { isRemoved: boolean }>();
  create(webhook: Webhook): Promise<void> {
    if (!this.kept.has(webhook.id)) this.kept.set(webhook.id, { ...webhook, isRemoved: false });
    return Promise.resolve();
  }
  all(): Promise<readonly (Webhook & { readonly isRemoved: boolean })[]> {
    return Promise.resolve([...this.kept.values()]);
  }
  remove(id: string): Promise<void> {
    const webhook = this.kept.get(id);
    if (webhook !== undefined) webhook.isRemoved = true;
    return Promise.resolve();
  }
  secretKey(): string {
    return '00c0ffee';
  }
  secretOf(): Buffer {
    return Buffer.alloc(32);
  }
}

const made = (webhooks: Webhooks): Promise<Made<Webhooks>> =>
  Promise.resolve({ made: webhooks, close: () => Promise.resolve() });
const by: WebhookRemoval = { removedAt: '2026-11-22T08:00:00.000Z', removedBy: 'ada' };

webhooksContract('MemoryWebhooks', () => made(new MemoryWebhooks()));
webhooksContract('StoredWebhooks', () => made(new StoredWebhooks(new MemoryWebhooks(), new Files())));

describe('StoredWebhooks', () => {
  const gone = aWebhook({ id: 'fedcba9876543210' });

  it('has its webhooks again when Redis was emptied, and none that was removed', async () => {
    const files = new Files();
    const before = new StoredWebhooks(new MemoryWebhooks(), files);
    await before.create(aWebhook());
    await before.create(gone);
    await before.remove(gone.id, by);
    expect(await new StoredWebhooks(new MemoryWebhooks(), files).list()).toEqual([aWebhook()]);
  });

  it('takes from the disk what Redis has lost of one or of a removal, once for each process', async () => {
    const [files, quick] = [new Files(), new MemoryWebhooks()];
    await quick.noteRestored();
    await files.create(aWebhook());
    await files.create(gone);
    await files.remove(gone.id);
    await quick.create(gone);
    expect(await new StoredWebhooks(quick, files).list()).toEqual([aWebhook()]);
  });

  it('makes none that would not outlive Redis', async () => {
    const [files, quick] = [new Files(), new MemoryWebhooks()];
    jest.spyOn(files, 'create').mockRejectedValue(new Error('the disk is full'));
    await expect(new StoredWebhooks(quick, files).create(aWebhook())).rejects.toThrow('full');
    expect(await quick.list()).toEqual([]);
  });
});
