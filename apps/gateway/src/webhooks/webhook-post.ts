import { Inject, Injectable } from '@nestjs/common';
import type { Webhook } from '@fleet/contracts';
import { WEBHOOK_FILES, type WebhookFiles } from '@fleet/ports';
import { MailPost } from './mail-post';
import { findPlace, type NotSent, type Place } from './send-message';
import { WEBHOOK_OPTIONS, type WebhookOptions } from './webhook-options';

/** Where a webhook goes now, and what its messages are signed with; or why it is told nothing. */
export type OpenedWebhook = { readonly place: Place; readonly secret: Buffer } | NotSent;

const noSecret: NotSent = {
  why: 'the key of the installation that its secret was made from is gone: remove the webhook and make it again',
  isGone: false,
  isTarget: true,
};

/** Gets webhooks ready to be told. */
@Injectable()
export class WebhookPost {
  constructor(
    @Inject(WEBHOOK_FILES) readonly files: WebhookFiles,
    @Inject(WEBHOOK_OPTIONS) readonly options: WebhookOptions,
    readonly mail: MailPost,
  ) {}

  /** Each time again, for a name may stand for another machine by now. */
  async open(webhook: Webhook): Promise<OpenedWebhook> {
    const secret = this.files.secretOf(webhook);
    if (secret === undefined) return noSecret;
    const place = await findPlace(webhook.url, this.options);
    return 'why' in place ? place : { place, secret };
  }
}
