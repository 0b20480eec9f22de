import { failureText, isFault, isTransient } from '@fleet/contracts/faults';
import type { Session } from '@fleet/contracts/sessions';
import type { TextRequest, TextRequests, SessionRecords } from '@fleet/ports';
import type { BeforeApplicationShutdown, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { BesideSteps } from '../beside/beside-steps';
import type { TextWriter } from './text-writer';

/** Interval between checks for requests. */
const lookMs = 1_000;
/** Texts written in parallel by one worker. */
const atOnce = 4;
/** Lease of a request by one worker, longer than any model call; another worker takes it when that worker has died. */
const leaseMs = 300_000;
/** Delay before a failed store or a failed connection is retried. */
const againMs = 30_000;

interface DeskPorts {
  readonly requests: TextRequests;
  readonly records: Pick<SessionRecords, 'load'>;
  readonly log: Pick<Logger, 'error' | 'warn'>;
  /**
   * Writes assessments and log summaries. Undefined: the site has no models for it; requests are completed at once,
   * because the rules' text exists.
   */
  readonly assessments: TextWriter | undefined;
  readonly logSummaries: TextWriter | undefined;
}

/** The process ends: another worker calls the model. */
const isHandedBack = (error: unknown): boolean => isFault(error) && error.code === 'decision.handed_back';

/** Lets models write requested texts, beside the steps: it moves no session, and no step waits for it. */
export class TextDesk implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly beside: BesideSteps<TextRequest>;

  constructor(private readonly ports: DeskPorts) {
    this.beside = new BesideSteps({
      lookMs,
      atOnce,
      take: () => ports.requests.take(leaseMs),
      answer: (request) => this.answer(request),
      onTrouble: (error) =>
        ports.log.warn({ message: 'requests for texts cannot be read', reason: failureText(error) }),
    });
  }

  onApplicationBootstrap(): void {
    this.beside.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.beside.stop();
  }

  /** Never rejects: what is unreachable is retried, other failures are not. */
  private async answer(request: TextRequest): Promise<void> {
    const { requests, log } = this.ports;
    const { session: sessionId, cycle } = request;
    const about = { sessionId, ...(cycle !== undefined && { cycle }) };
    try {
      try {
        await this.write(request);
      } catch (error) {
        if (isTransient(error)) {
          log.warn({ message: 'a request for a text is retried', ...about, reason: failureText(error) });
          await requests.putBack(request, isHandedBack(error) ? 0 : againMs);
          return;
        }
        log.error({ message: 'a request for a text failed', ...about, reason: failureText(error) });
      }
      await requests.done(request);
    } catch (trouble) {
      // The request becomes available again when its lease expires.
      log.warn({ message: 'a request for a text was not completed', ...about, reason: failureText(trouble) });
    }
  }

  private async write(request: TextRequest): Promise<void> {
    const session = await this.ports.records.load(request.session);
    const writer = this.writerFor(request);
    if (session === undefined || writer === undefined || session.request.settings.use_rules_only) return;
    await writer.write(session, request, (message, error) => this.tell(session, message, error));
  }

  private writerFor({ cycle }: TextRequest): TextWriter | undefined {
    return cycle === undefined ? this.ports.assessments : this.ports.logSummaries;
  }

  private tell({ id }: Session, message: string, error: unknown): void {
    this.ports.log.error({ message, sessionId: id, reason: failureText(error) });
  }
}
