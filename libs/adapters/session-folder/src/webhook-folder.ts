import { createHmac } from 'node:crypto';
import { Fault } from '@fleet/contracts/faults';
import { webhookSchema, type Webhook, type WebhookRemoval } from '@fleet/contracts/webhooks';
import type { WebhookFiles } from '@fleet/ports';
import type { InstallationKey } from './session-signature';
import { SignedFolder, type SignedFolderOptions } from './signed-folder';

const fileForm = /^([0-9a-f]{16})\.(webhook|removed)\.json$/;

const noInstallationKey = (): Fault =>
  new Fault(
    'webhook.no_installation_key',
    'conflict',
    'Webhooks need FLEET_INSTALLATION_KEY_FILE: their secrets are made from it, and they are kept signed in the work folder. Set it (docs/configuration.md), restart the gateway and try again.',
  );

/**
 * Webhooks as files of the work root, so that they outlive the database: `<id>.webhook.json`, and `<id>.removed.json`
 * after a removal. Each is written once and signed. Their secrets are not stored: they are derived from the webhook's
 * id and a key of the installation.
 */
export class WebhookFolder implements WebhookFiles {
  private readonly keys: readonly InstallationKey[];
  private readonly folder: SignedFolder;

  /** @param workRoot absolute */
  constructor(workRoot: string, options: Pick<SignedFolderOptions, 'keys' | 'onWarning'>) {
    this.keys = options.keys;
    this.folder = new SignedFolder(workRoot, 'webhooks', {
      ...options,
      noKey: noInstallationKey,
      without: 'receives nothing',
    });
  }

  async create(webhook: Webhook): Promise<void> {
    await this.folder.write('webhook', webhook.id, webhook);
  }

  async all(): Promise<readonly (Webhook & { readonly isRemoved: boolean })[]> {
    const names = await this.folder.names(fileForm);
    const ids = names.flatMap((name) => (name.endsWith('.webhook.json') ? [name.slice(0, 16)] : []));
    const webhooks = await Promise.all(ids.map((id) => this.folder.read('webhook', id, webhookSchema)));
    // A removal counts by its name: a damaged file must not restart notifications.
    return webhooks.flatMap((webhook) =>
      webhook === undefined ? [] : [{ ...webhook, isRemoved: names.includes(`${webhook.id}.removed.json`) }],
    );
  }

  async remove(id: string, by: WebhookRemoval): Promise<void> {
    await this.folder.write('removed', id, by);
  }

  secretKey(): string {
    const [key] = this.keys;
    if (key === undefined) throw noInstallationKey();
    return key.id;
  }

  secretOf({ id, secretKey }: Pick<Webhook, 'id' | 'secretKey'>): Buffer | undefined {
    const key = this.keys.find((one) => one.id === secretKey);
    return key && createHmac('sha256', key.secret).update(`phenix-fleet webhook secret 1\n${id}`).digest();
  }
}
