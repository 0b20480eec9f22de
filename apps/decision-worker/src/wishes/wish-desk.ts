import { failureText, isFault, isTransient } from '@fleet/contracts/faults';
import type { Session } from '@fleet/contracts/sessions';
import type { ModelWish, ModelWishes, SessionRecords } from '@fleet/ports';
import type { BeforeApplicationShutdown, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { BesideSteps } from '../beside/beside-steps';
import type { WishWriter } from './wish-writer';

/** How often it is looked whether something is wished for. */
const lookMs = 1_000;
/** Texts that one worker has written at once. */
const atOnce = 4;
/** A wish is one worker's for longer than a model is ever asked; where that worker has died, another one takes it then. */
const leaseMs = 300_000;
/** What could not be kept or reached is tried again then. */
const againMs = 30_000;

interface DeskPorts {
  readonly wishes: ModelWishes;
  readonly records: Pick<SessionRecords, 'load'>;
  readonly log: Pick<Logger, 'error' | 'warn'>;
  /** Who has sessions assessed, and logs summed up. Undefined: the site has no models for it; wishes are done at once, for the rules have said it. */
  readonly assessments: WishWriter | undefined;
  readonly logSummaries: WishWriter | undefined;
}

/** The process ends: another worker asks. */
const isHandedBack = (error: unknown): boolean => isFault(error) && error.code === 'decision.handed_back';

/** Lets models write what is wished for, beside the steps: it moves no session, and no step waits for it. */
export class WishDesk implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly beside: BesideSteps<ModelWish>;

  constructor(private readonly ports: DeskPorts) {
    this.beside = new BesideSteps({
      lookMs,
      atOnce,
      take: () => ports.wishes.take(leaseMs),
      answer: (wish) => this.answer(wish),
      onTrouble: (error) => {
        ports.log.warn({ message: 'wishes for models cannot be looked at', reason: failureText(error) });
      },
    });
  }

  onApplicationBootstrap(): void {
    this.beside.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.beside.stop();
  }

  /** Never rejects: what cannot be reached now is tried again, and what has failed otherwise is not. */
  private async answer(wish: ModelWish): Promise<void> {
    const { wishes, log } = this.ports;
    const { session: sessionId, cycle } = wish;
    const about = { sessionId, ...(cycle !== undefined && { cycle }) };
    try {
      try {
        await this.write(wish);
      } catch (error) {
        if (isTransient(error)) {
          log.warn({ message: 'a wish for a model is tried again', ...about, reason: failureText(error) });
          await wishes.putBack(wish, isHandedBack(error) ? 0 : againMs);
          return;
        }
        log.error({ message: 'a wish for a model failed', ...about, reason: failureText(error) });
      }
      await wishes.done(wish);
    } catch (trouble) {
      // The wish is free again when its lease is over.
      log.warn({ message: 'a wish for a model was not put away', ...about, reason: failureText(trouble) });
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
