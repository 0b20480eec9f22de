import { mailAddressOf, type WebhookMessage } from '@fleet/contracts/webhooks';
import {
  isSent,
  type ClaimedDeliveries,
  type Deliveries,
  type Delivery,
  type MessagePost,
  type OpenedWebhook,
  type Sending,
} from '@fleet/ports';
import { messageOf } from '@fleet/session-report';
import { afterFailure, type Patience } from './after-failure';

/** What the delivery of notices works with. */
export interface TellingPorts {
  readonly deliveries: Pick<Deliveries, 'delivered' | 'failed' | 'release'>;
  readonly post: MessagePost;
  /** `linkBase`: what links begin with. */
  readonly options: Patience & { readonly linkBase: string };
  readonly log: { warn(entry: object): void };
}

/** Tells one webhook what is due, and notes the outcome of each notice. What was reported and could not be noted is reported again. */
export class TellWebhook {
  constructor(private readonly ports: TellingPorts) {}

  /** @throws Fault transient where the store cannot be reached */
  async run(claimed: ClaimedDeliveries): Promise<void> {
    const { webhook, deliveries } = claimed;
    const { post, deliveries: kept } = this.ports;
    const opened = await post.open(webhook);
    if (mailAddressOf(webhook.url) !== undefined) await this.tellByMail(claimed, opened);
    else await Promise.all(deliveries.map((delivery) => this.tellOne(claimed, delivery, opened)));
    await kept.release(webhook.id);
  }

  private async tellOne(claimed: ClaimedDeliveries, delivery: Delivery, opened: OpenedWebhook): Promise<void> {
    const message = this.messageOf(delivery);
    const sent = message && (await opened.send([{ id: delivery.id, message }]));
    await this.settle(claimed, delivery, sent);
  }

  /** One e-mail with all that can be reported. Of a line that has to wait, what stands behind its first notice is left where it is. */
  private async tellByMail(claimed: ClaimedDeliveries, opened: OpenedWebhook): Promise<void> {
    const [first, ...others] = claimed.deliveries.flatMap((delivery) => {
      const message = this.messageOf(delivery);
      return message === undefined ? [] : [{ id: delivery.id, message }];
    });
    const sent = first === undefined ? undefined : await opened.send([first, ...others]);
    const waiting = new Set<string>();
    for (const delivery of claimed.deliveries) {
      if (waiting.has(delivery.of)) continue;
      const settled = await this.settle(claimed, delivery, delivery.told === undefined ? undefined : sent);
      if (settled === 'waits') waiting.add(delivery.of);
    }
  }

  private messageOf({ told, of }: Delivery): WebhookMessage | undefined {
    if (told === undefined) return undefined;
    const { notice, ...subject } = told;
    return messageOf(notice, { id: of, ...subject }, this.ports.options.linkBase);
  }

  /** @param sent undefined: what is stored of it cannot be read */
  private async settle(
    claimed: ClaimedDeliveries,
    delivery: Delivery,
    sent: Sending | undefined,
  ): Promise<'settled' | 'waits'> {
    const { deliveries, options, log } = this.ports;
    const { id } = claimed.webhook;
    if (sent === undefined) {
      const why = 'what was stored of it cannot be read';
      await deliveries.failed(id, delivery, { why, againInMs: 'never', holdMs: 0, failing: claimed.failing });
      return 'settled';
    }
    if (isSent(sent)) {
      await deliveries.delivered(id, delivery);
      return 'settled';
    }
    const failure = afterFailure(delivery, claimed, sent, options);
    const isNoted = await deliveries.failed(id, delivery, failure);
    if (failure.againInMs !== 'never') return 'waits';
    // Never the address: it may hold a token.
    if (isNoted) log.warn({ message: 'a notice is dead', webhook: id, notice: delivery.id, reason: sent.why });
    return 'settled';
  }
}
