import { readWebhookTargets, webhookTargetForms, type WebhookTarget } from '@fleet/contracts/webhooks';
import { isNetwork, networksIn } from './networks';
import { TextVariable } from './variable.decorator';

/** Notifications of sessions and batches (docs/notifications.md). Read only by the gateway. */
export class NotificationsConfig {
  @TextVariable('FLEET_WEBHOOK_TARGETS', {
    what: 'allowed hosts of webhooks. Not set: no webhooks',
    optional: true,
    pattern: /^[\x20-\x7e]+$/,
    holds: (text) => readWebhookTargets(text) !== undefined,
    allowed: webhookTargetForms,
  })
  readonly webhookTargets?: string;

  @TextVariable('FLEET_WEBHOOK_NETWORKS', {
    what: 'private, link-local or loopback networks that webhook hosts may resolve to; all others of these are refused',
    optional: true,
    pattern: /^[0-9A-Fa-f:./, ]+$/,
    holds: (text) => networksIn(text).every(isNetwork),
    allowed: 'networks separated by commas: 10.1.0.0/16, fd00:1::/64',
  })
  readonly webhookNetworks?: string;

  @TextVariable('FLEET_PUBLIC_URL', {
    what: 'public URL of the gateway, used for links in notifications and for browser logins. Not set: links have a path only',
    optional: true,
    pattern: /^https?:\/\/[A-Za-z0-9.:[\]-]+(?:\/[A-Za-z0-9._~/-]*)?$/,
    allowed: 'an http or https URL without a query',
  })
  readonly publicUrl?: string;
}

/** The parsed section. */
interface Notifications {
  readonly targets: readonly WebhookTarget[];
  readonly networks: readonly string[];
  readonly linkBase: string;
}

export const notificationsOf = ({
  webhookTargets = '',
  webhookNetworks = '',
  publicUrl = '',
}: NotificationsConfig): Notifications => ({
  targets: readWebhookTargets(webhookTargets) ?? [],
  networks: networksIn(webhookNetworks),
  linkBase: publicUrl.replace(/\/+$/, ''),
});
