import { mailAddressOf, type Webhook } from '@fleet/contracts/webhooks';
import type { MessagePost, NotSent, OpenedWebhook, WebhookFiles } from '@fleet/ports';
import type { MailPost } from './mail-post';
import { resolveEndpoint, sendMessage } from './send-message';
import type { WebhookOptions } from './webhook-options';

const noSecret: NotSent = {
  why: 'the installation key of its secret is missing: remove the webhook and create it again',
  isGone: false,
  isTarget: true,
};

/** Sends messages by HTTP and by e-mail. */
export class WebhookPost implements MessagePost {
  constructor(
    private readonly files: Pick<WebhookFiles, 'secretOf'>,
    private readonly options: WebhookOptions,
    private readonly mail: Pick<MailPost, 'send'>,
  ) {}

  /** Resolved again each time, because the IP address of a name may change. */
  async open(webhook: Webhook): Promise<OpenedWebhook> {
    if (mailAddressOf(webhook.url) !== undefined) return { send: (messages) => this.mail.send(webhook, messages) };
    const secret = this.files.secretOf(webhook);
    if (secret === undefined) return { send: () => Promise.resolve(noSecret) };
    const endpoint = await resolveEndpoint(webhook.url, this.options);
    if ('why' in endpoint) return { send: () => Promise.resolve(endpoint) };
    return { send: ([message]) => sendMessage(endpoint, { ...message, secret }, this.options) };
  }
}
