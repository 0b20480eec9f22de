import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { failureText } from '@fleet/contracts';
import {
  DELIVERIES,
  WEBHOOKS,
  type ClaimedDeliveries,
  type Deliveries,
  type Delivery,
  type KeptWebhooks,
} from '@fleet/ports';
import { messageOf } from '@fleet/session-report';
import { LookingLoop } from '../background/looking-loop';
import { afterFailure } from './after-failure';
import { isSent, sendMessage } from './send-message';
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
  private readonly loop: LookingLoop;
  private failing = false;

  constructor(
    @Inject(WEBHOOKS) private readonly webhooks: KeptWebhooks,
    private readonly post: WebhookPost,
    @Inject(DELIVERIES) private readonly deliveries: Deliveries,
  ) {
    this.loop = new LookingLoop(() => this.look(), post.options.idleMs);
  }

  onApplicationBootstrap(): void {
    if (this.post.options.targets.length > 0) this.loop.start();
  }

  /** Lets what is under way be answered and noted. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
    await Promise.all(this.rounds);
  }

  /** Begins a round for each webhook of which something is due, while there is room; the end of one wakes it. An error never ends it. */
  private async look(): Promise<false> {
    try {
      await this.webhooks.restore();
      await this.deliveries.noticeBatches(batchesPerLook);
      while (this.rounds.size < webhooksAtOnce && !this.loop.isStopping) {
        const claimed = await this.deliveries.claim(linesAtOnce, this.post.options.leaseMs);
        if (claimed === undefined) break;
        this.begin(claimed);
      }
      this.failing = false;
    } catch (error) {
      this.trouble('webhooks wait', error);
    }
    return false;
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
    const opened = await this.post.open(webhook);
    await Promise.all(deliveries.map((delivery) => this.tellOne(claimed, delivery, opened)));
    await this.deliveries.release(webhook.id);
  }

  private async tellOne(claimed: ClaimedDeliveries, delivery: Delivery, opened: OpenedWebhook): Promise<void> {
    const { id } = claimed.webhook;
    const { told, of } = delivery;
    if (told === undefined) {
      const why = 'what was stored of it cannot be read';
      await this.deliveries.failed(id, delivery, { why, againInMs: 'never', holdMs: 0, failing: claimed.failing });
      return;
    }
    const { notice, ...subject } = told;
    const message = messageOf(notice, { id: of, ...subject }, this.post.options.linkBase);
    const sent =
      'why' in opened
        ? opened
        : await sendMessage(opened.place, { id: delivery.id, secret: opened.secret, message }, this.post.options);
    if (isSent(sent)) {
      await this.deliveries.delivered(id, delivery);
      return;
    }
    const failure = afterFailure(delivery, claimed, sent, this.post.options);
    const settled = await this.deliveries.failed(id, delivery, failure);
    // Never the address: it may hold a token.
    if (settled && failure.againInMs === 'never')
      this.logger.warn({ message: 'a notice is dead', webhook: id, notice: delivery.id, reason: sent.why });
  }

  /** Said once for each time that it begins. */
  private trouble(message: string, error: unknown): void {
    if (!this.failing) this.logger.error({ message, reason: failureText(error) });
    this.failing = true;
  }
}
