import { Inject, Injectable, Logger } from '@nestjs/common';
import { failureText } from '@fleet/contracts/faults';
import { BackgroundLoop } from '@fleet/loop';
import { DELIVERIES, WEBHOOKS, type ClaimedDeliveries, type Deliveries, type KeptWebhooks } from '@fleet/ports';
import { mailPatience, WEBHOOK_OPTIONS, type WebhookOptions } from '@fleet/webhook-post';
import { TellWebhook } from '@fleet/webhooks';

/** Queues of one webhook that are delivered at a time, and webhooks: targets that hang keep the others waiting only where all of these are taken. */
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
export class WebhookSender extends BackgroundLoop {
  private readonly logger = new Logger('Webhooks');
  private readonly rounds = new Set<Promise<void>>();
  private failing = false;

  constructor(
    @Inject(WEBHOOKS) private readonly webhooks: KeptWebhooks,
    @Inject(WEBHOOK_OPTIONS) private readonly options: WebhookOptions,
    @Inject(DELIVERIES) private readonly deliveries: Deliveries,
    private readonly telling: TellWebhook,
  ) {
    super(
      () => this.look(),
      options.idleMs,
      (error) => {
        this.trouble('webhooks wait', error);
      },
    );
  }

  override onApplicationBootstrap(): void {
    const { targets, mail } = this.options;
    if (targets.length > 0 || mail !== undefined) this.start();
  }

  /** Lets what is under way be answered and noted. */
  override async beforeApplicationShutdown(): Promise<void> {
    await super.beforeApplicationShutdown();
    await Promise.all(this.rounds);
  }

  /** Begins a round for each webhook of which something is due, while there is room; the end of one wakes it. */
  private async look(): Promise<void> {
    await this.webhooks.restore();
    await this.deliveries.noticeBatches(batchesPerLook);
    while (this.rounds.size < webhooksAtOnce && !this.isStopping) {
      const { leaseMs, mail = mailPatience } = this.options;
      const claimed = await this.deliveries.claim({ lines: linesAtOnce, leaseMs, mail });
      if (claimed === undefined) break;
      this.begin(claimed);
    }
    this.failing = false;
  }

  private begin(claimed: ClaimedDeliveries): void {
    const round = this.telling
      .run(claimed)
      .catch((error: unknown) => {
        this.trouble('deliveries to a webhook could not be noted', error);
      })
      .finally(() => {
        this.rounds.delete(round);
        this.wake();
      });
    this.rounds.add(round);
  }

  /** Said once for each time that it begins. */
  private trouble(message: string, error: unknown): void {
    if (!this.failing) this.logger.error({ message, reason: failureText(error) });
    this.failing = true;
  }
}
