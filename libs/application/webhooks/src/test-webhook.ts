import { randomBytes } from 'node:crypto';
import type { Webhook, WebhookMessage, WebhookTest } from '@fleet/contracts/webhooks';
import { isoTime, isSent, type Clock, type MessagePost } from '@fleet/ports';

/** Sends one message immediately, before all pending ones. */
export class TestWebhook {
  constructor(private readonly ports: { readonly clock: Clock; readonly post: MessagePost }) {}

  async run(webhook: Webhook): Promise<WebhookTest> {
    const { clock, post } = this.ports;
    const message: WebhookMessage = {
      type: 'webhook.test',
      timestamp: isoTime(clock),
      data: { sentence: 'This is a test of the webhook.', next: 'Nothing.' },
    };
    const from = performance.now();
    const opened = await post.open(webhook);
    const sent = await opened.send([{ id: `test-${randomBytes(8).toString('hex')}`, message }]);
    const { status, ...failure } = isSent(sent) ? sent : { status: sent.status, why: sent.why };
    const tookMs = Math.round(performance.now() - from);
    return { delivered: isSent(sent), tookMs, message, ...failure, ...(status !== undefined && { status }) };
  }
}
