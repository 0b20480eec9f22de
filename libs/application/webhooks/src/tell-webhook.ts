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

/** Dependencies of delivering notices. */
export interface TellingPorts {
  readonly deliveries: Pick<Deliveries, 'delivered' | 'failed' | 'release'>;
  readonly post: MessagePost;
  /** `linkBase`: base URL of links. */
  readonly options: Patience & { readonly linkBase: string };
  readonly log: { warn(entry: object): void };
}

/** Delivers the due notices of one webhook, and stores the outcome of each. A notice whose outcome could not be stored is delivered again. */
export class TellWebhook {
  constructor(private readonly ports: TellingPorts) {}

  /** @throws Fault transient where the store cannot be reached */
  async run(claimed: ClaimedDeliveries): Promise<void> {
    const { webhook, deliveries } = claimed;
    const { post, deliveries: deliveryStore } = this.ports;
    const opened = await post.open(webhook);
    if (mailAddressOf(webhook.url) !== undefined) await this.tellByMail(claimed, opened);
    else await Promise.all(deliveries.map((delivery) => this.tellOne(claimed, delivery, opened)));
    await deliveryStore.release(webhook.id);
  }

  private async tellOne(claimed: ClaimedDeliveries, delivery: Delivery, opened: OpenedWebhook): Promise<void> {
    const message = this.messageOf(delivery);
    const sent = message && (await opened.send([{ id: delivery.id, message }]));
    await this.settle(claimed, delivery, sent);
  }

  /** One e-mail with all deliverable notices. If a queue must wait, the notices after its first stay. */
  private async tellByMail(claimed: ClaimedDeliveries, opened: OpenedWebhook): Promise<void> {
    const [first, ...others] = claimed.deliveries.flatMap((delivery) => {
      const message = this.messageOf(delivery);
      return message === undefined ? [] : [{ id: delivery.id, message }];
    });
    const sent = first === undefined ? undefined : await opened.send([first, ...others]);
    const waiting = new Set<string>();
    for (const delivery of claimed.deliveries) {
      if (waiting.has(delivery.of)) continue;
      const settled = await this.settle(claimed, delivery, delivery.content === undefined ? undefined : sent);
      if (settled === 'waits') waiting.add(delivery.of);
    }
  }

  private messageOf({ content, of }: Delivery): WebhookMessage | undefined {
    if (content === undefined) return undefined;
    const { notice, ...subject } = content;
    return messageOf(notice, { id: of, ...subject }, this.ports.options.linkBase);
  }

  /** @param sent undefined: the stored notice cannot be read */
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
    // Never the URL: it may contain a token.
    if (isNoted) log.warn({ message: 'a notice is dead', webhook: id, notice: delivery.id, reason: sent.why });
    return 'settled';
  }
}
