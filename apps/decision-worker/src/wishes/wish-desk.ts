import { failureText, isFault, isTransient } from '@fleet/contracts/faults';
import type { Session } from '@fleet/contracts/sessions';
import type { ModelWish, ModelWishes, SessionRecords } from '@fleet/ports';
import type { BeforeApplicationShutdown, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { BesideSteps } from '../beside/beside-steps';
import type { WishWriter } from './wish-writer';

/** Interval between checks for requests. */
const lookMs = 1_000;
/** Texts written in parallel by one worker. */
const atOnce = 4;
/** Lease of a request by one worker, longer than any model call; another worker takes it when that worker has died. */
const leaseMs = 300_000;
/** Delay before a failed store or a failed connection is retried. */
const againMs = 30_000;

interface DeskPorts {
  readonly wishes: ModelWishes;
  readonly records: Pick<SessionRecords, 'load'>;
  readonly log: Pick<Logger, 'error' | 'warn'>;
  /**
   * Writes assessments and log summaries. Undefined: the site has no models for it; requests are completed at once,
   * because the rules' text exists.
   */
  readonly assessments: WishWriter | undefined;
  readonly logSummaries: WishWriter | undefined;
}

/** The process ends: another worker calls the model. */
const isHandedBack = (error: unknown): boolean => isFault(error) && error.code === 'decision.handed_back';

/** Lets models write requested texts, beside the steps: it moves no session, and no step waits for it. */
export class WishDesk implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly beside: BesideSteps<ModelWish>;

  constructor(private readonly ports: DeskPorts) {
    this.beside = new BesideSteps({
      lookMs,
      atOnce,
      take: () => ports.wishes.take(leaseMs),
      answer: (wish) => this.answer(wish),
      onTrouble: (error) => {
        ports.log.warn({ message: 'requests for models cannot be read', reason: failureText(error) });
      },
    });
  }

  onApplicationBootstrap(): void {
    this.beside.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.beside.stop();
  }

  /** Never rejects: what is unreachable is retried, other failures are not. */
  private async answer(wish: ModelWish): Promise<void> {
    const { wishes, log } = this.ports;
    const { session: sessionId, cycle } = wish;
    const about = { sessionId, ...(cycle !== undefined && { cycle }) };
    try {
      try {
        await this.write(wish);
      } catch (error) {
        if (isTransient(error)) {
          log.warn({ message: 'a request for a model is retried', ...about, reason: failureText(error) });
          await wishes.putBack(wish, isHandedBack(error) ? 0 : againMs);
          return;
        }
        log.error({ message: 'a request for a model failed', ...about, reason: failureText(error) });
      }
      await wishes.done(wish);
    } catch (trouble) {
      // The request becomes available again when its lease expires.
      log.warn({ message: 'a request for a model was not completed', ...about, reason: failureText(trouble) });
    }
  }

  private async write(wish: ModelWish): Promise<void> {
    const session = await this.ports.records.load(wish.session);
    const writer = this.writerFor(wish);
    if (session === undefined || writer === undefined || session.request.settings.use_rules_only) return;
    await writer.write(session, wish, (message, error) => {
      this.tell(session, message, error);
    });
  }

  private writerFor({ cycle }: ModelWish): WishWriter | undefined {
    return cycle === undefined ? this.ports.assessments : this.ports.logSummaries;
  }

  private tell({ id }: Session, message: string, error: unknown): void {
    this.ports.log.error({ message, sessionId: id, reason: failureText(error) });
  }
}
