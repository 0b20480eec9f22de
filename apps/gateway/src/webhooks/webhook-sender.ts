import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { failureText, mailAddressOf, type WebhookMessage } from '@fleet/contracts';
import { Loop } from '@fleet/loop';
import {
  DELIVERIES,
  WEBHOOKS,
  type ClaimedDeliveries,
  type Deliveries,
  type Delivery,
  type KeptWebhooks,
} from '@fleet/ports';
import { messageOf } from '@fleet/session-report';
import { afterFailure } from './after-failure';
import { mailPatience } from './mail-options';
import { isSent, sendMessage, type Sending } from './send-message';
import { WebhookPost, type OpenedWebhook } from './webhook-post';

/** Lines of one webhook that are told at a time, and webhooks: targets that hang keep the others waiting only where all of these are taken. */
const linesAtOnce = 8;
const webhooksAtOnce = 32;
/** Batches that one look asks whether they have ended. */
const batchesPerLook = 20;

/**
 * Delivers what moves have put down for webhooks. Every gateway does so, without a leader: what is due stands in the store, and a claim on it ends
 * by itself. A gateway that dies between a message and the note of it leaves the message to be sent again, under the same id. No step of
 * a session runs in a gateway, so that a target that hangs delays none.
 */
@Injectable()
export class WebhookSender implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Webhooks');
  private readonly rounds = new Set<Promise<void>>();
  private readonly loop: Loop;
  private failing = false;

  constructor(
    @Inject(WEBHOOKS) private readonly webhooks: KeptWebhooks,
    private readonly post: WebhookPost,
    @Inject(DELIVERIES) private readonly deliveries: Deliveries,
  ) {
    this.loop = new Loop(
      () => this.look(),
      post.options.idleMs,
      (error) => {
        this.trouble('webhooks wait', error);
      },
    );
  }

  onApplicationBootstrap(): void {
    const { targets, mail } = this.post.options;
    if (targets.length > 0 || mail !== undefined) this.loop.start();
  }

  /** Lets what is under way be answered and noted. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
    await Promise.all(this.rounds);
  }

  /** Begins a round for each webhook of which something is due, while there is room; the end of one wakes it. */
  private async look(): Promise<void> {
    await this.webhooks.restore();
    await this.deliveries.noticeBatches(batchesPerLook);
    while (this.rounds.size < webhooksAtOnce && !this.loop.isStopping) {
      const { leaseMs, mail = mailPatience } = this.post.options;
      const claimed = await this.deliveries.claim({ lines: linesAtOnce, leaseMs, mail });
      if (claimed === undefined) break;
      this.begin(claimed);
    }
    this.failing = false;
  }

  private begin(claimed: ClaimedDeliveries): void {
    const round = this.tell(claimed)
      .catch((error: unknown) => {
        // What was told and could not be noted is told again.
        this.trouble('deliveries to a webhook could not be noted', error);
      })
      .finally(() => {
        this.rounds.delete(round);
        this.loop.wake();
      });
    this.rounds.add(round);
  }

  private async tell(claimed: ClaimedDeliveries): Promise<void> {
    const { webhook, deliveries } = claimed;
    if (mailAddressOf(webhook.url) !== undefined) await this.tellByMail(claimed);
    else {
      const opened = await this.post.open(webhook);
      await Promise.all(deliveries.map((delivery) => this.tellOne(claimed, delivery, opened)));
    }
    await this.deliveries.release(webhook.id);
  }

  private async tellOne(claimed: ClaimedDeliveries, delivery: Delivery, opened: OpenedWebhook): Promise<void> {
    const message = this.messageOf(delivery);
    const sent = message && (await this.sendTo(opened, delivery.id, message));
    await this.settle(claimed, delivery, sent);
  }

  private async sendTo(opened: OpenedWebhook, id: string, message: WebhookMessage): Promise<Sending> {
    if ('why' in opened) return opened;
    return sendMessage(opened.place, { id, secret: opened.secret, message }, this.post.options);
  }

  /** One e-mail with all that can be told. Of a line that has to wait, what stands behind its first notice is left where it is. */
  private async tellByMail(claimed: ClaimedDeliveries): Promise<void> {
    const told = claimed.deliveries.flatMap((delivery) => {
      const message = this.messageOf(delivery);
      return message === undefined ? [] : [{ id: delivery.id, message }];
    });
    const sent = told.length === 0 ? undefined : await this.post.mail.send(claimed.webhook, told);
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
    return messageOf(notice, { id: of, ...subject }, this.post.options.linkBase);
  }

  /** @param sent undefined: what is stored of it cannot be read */
  private async settle(
    claimed: ClaimedDeliveries,
    delivery: Delivery,
    sent: Sending | undefined,
  ): Promise<'settled' | 'waits'> {
    const { id } = claimed.webhook;
    if (sent === undefined) {
      const why = 'what was stored of it cannot be read';
      await this.deliveries.failed(id, delivery, { why, againInMs: 'never', holdMs: 0, failing: claimed.failing });
      return 'settled';
    }
    if (isSent(sent)) {
      await this.deliveries.delivered(id, delivery);
      return 'settled';
    }
    const failure = afterFailure(delivery, claimed, sent, this.post.options);
    const isNoted = await this.deliveries.failed(id, delivery, failure);
    if (failure.againInMs !== 'never') return 'waits';
    // Never the address: it may hold a token.
    if (isNoted) this.logger.warn({ message: 'a notice is dead', webhook: id, notice: delivery.id, reason: sent.why });
    return 'settled';
  }

  /** Said once for each time that it begins. */
  private trouble(message: string, error: unknown): void {
    if (!this.failing) this.logger.error({ message, reason: failureText(error) });
    this.failing = true;
  }
}
