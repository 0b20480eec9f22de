import { Inject, Injectable, Logger } from '@nestjs/common';
import { failureText } from '@fleet/contracts/faults';
import { BackgroundLoop } from '@fleet/loop';
import { DELIVERIES, WEBHOOKS, type ClaimedDeliveries, type Deliveries, type KeptWebhooks } from '@fleet/ports';
import { mailPatience, WEBHOOK_OPTIONS, type WebhookOptions } from '@fleet/webhook-post';
import { TellWebhook } from '@fleet/webhooks';

/**
 * Parallel deliveries per webhook, and parallel webhooks: hanging endpoints delay others only if they occupy all of
 * these.
 */
const linesAtOnce = 8;
const webhooksAtOnce = 32;
/** Batches checked for their end per round. */
const batchesPerLook = 20;

/**
 * Delivers queued notices to webhooks. Every gateway does so, without a leader: the store holds what is due, and a
 * claim on it expires. If a gateway crashes between a message and its acknowledgement, the message is sent again under
 * the same id. No step of a session runs in a gateway, so a hanging endpoint delays none.
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
      (error) => this.trouble('webhooks wait', error),
    );
  }

  override onApplicationBootstrap(): void {
    const { targets, mail } = this.options;
    if (targets.length > 0 || mail !== undefined) this.start();
  }

  /** Lets deliveries in progress finish and be acknowledged. */
  override async beforeApplicationShutdown(): Promise<void> {
    await super.beforeApplicationShutdown();
    await Promise.all(this.rounds);
  }

  /** Begins a round for each due webhook, while there is capacity; the end of one starts the next check. */
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
      .catch((error: unknown) => this.trouble('deliveries to a webhook could not be noted', error))
      .finally(() => {
        this.rounds.delete(round);
        this.wake();
      });
    this.rounds.add(round);
  }

  /** Logged once for each time that it begins. */
  private trouble(message: string, error: unknown): void {
    if (!this.failing) this.logger.error({ message, reason: failureText(error) });
    this.failing = true;
  }
}
