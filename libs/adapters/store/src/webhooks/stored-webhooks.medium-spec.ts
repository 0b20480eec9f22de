import type { Webhook, WebhookRemoval } from '@fleet/contracts/webhooks';
import type { WebhookFiles } from '@fleet/ports';
import { aWebhook, webhooksContract } from '@fleet/testing';
import { madeOn, useDatabases } from '../fixtures/databases';
import { PostgresWebhooks } from './postgres-webhooks';
import { StoredWebhooks } from './stored-webhooks';

/** An in-memory disk. */
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

const databases = useDatabases();
let quick: PostgresWebhooks;
beforeEach(async () => {
  quick = new PostgresWebhooks(await databases.context());
});

webhooksContract('PostgresWebhooks', madeOn(databases, PostgresWebhooks));
webhooksContract('StoredWebhooks', () =>
  Promise.resolve({ made: new StoredWebhooks(quick, new Files()), close: () => Promise.resolve() }),
);

describe('StoredWebhooks', () => {
  const removal: WebhookRemoval = { removedAt: '2026-11-22T08:00:00.000Z', removedBy: 'ada' };
  const gone = aWebhook({ id: 'fedcba9876543210' });
  it('restores its webhooks in an empty database, and none that was removed', async () => {
    const files = new Files();
    const before = new StoredWebhooks(quick, files);
    await before.create(aWebhook());
    await before.create(gone);
    await before.remove(gone.id, removal);
    const after = new PostgresWebhooks(await databases.context());
    await new StoredWebhooks(after, files).restore();
    expect(await after.list()).toEqual([aWebhook()]);
    await after.create(gone);
    expect(await after.list()).toEqual([aWebhook()]);
  });

  it('copies webhooks and removals that the database lacks from the disk, once per process', async () => {
    const files = new Files();
    await quick.create(gone);
    await files.create(aWebhook());
    await files.create(gone);
    await files.remove(gone.id);
    const webhooks = new StoredWebhooks(quick, files);
    expect(await webhooks.list()).toEqual([aWebhook()]);
    const all = jest.spyOn(files, 'all');
    await webhooks.restore();
    expect(all).not.toHaveBeenCalled();
  });

  it('creates none without a file', async () => {
    const files = new Files();
    jest.spyOn(files, 'create').mockRejectedValue(new Error('the disk is full'));
    await expect(new StoredWebhooks(quick, files).create(aWebhook())).rejects.toThrow('full');
    expect(await quick.list()).toEqual([]);
  });
});
