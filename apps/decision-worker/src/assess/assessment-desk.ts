import { setTimeout as sleep } from 'node:timers/promises';
import { failureText, isFault, isTransient, type KeptAssessment, type Session } from '@fleet/contracts';
import {
  isoTime,
  type Assessments,
  type AssessmentWish,
  type AssessmentWishes,
  type Clock,
  type SessionRecords,
} from '@fleet/ports';
import type { BeforeApplicationShutdown, Logger, OnApplicationBootstrap } from '@nestjs/common';

/** How often it is looked whether an assessment is wished for. */
const lookMs = 1_000;
/** Assessments that one worker has written at once: each may take minutes, and none holds a place of the queue. */
const atOnce = 4;
/** A wish is one worker's for longer than a model is ever asked; where that worker has died, another one takes it then. */
const leaseMs = 300_000;
/** What could not be kept or reached is tried again then. */
const againMs = 30_000;
/** A worker that is told to end waits so long for what its models were asked: those calls have been ended. */
const drainMs = 5_000;

interface DeskPorts {
  readonly wishes: AssessmentWishes;
  readonly assessments: Omit<Assessments, 'next'>;
  readonly records: Pick<SessionRecords, 'load'>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'error' | 'warn'>;
  /** What models say of a session. Undefined: the site has none that assess; wishes are done at once, for the rules have said it. */
  readonly assess: ((session: Session, number: number) => Promise<Omit<KeptAssessment, 'writtenAt'>>) | undefined;
}

/** The process ends: another worker asks. */
const isHandedBack = (error: unknown): boolean => isFault(error) && error.code === 'decision.handed_back';

/** Lets models write the assessments that are wished for, beside the steps: it moves no session, and no step waits for it. */
export class AssessmentDesk implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly stopping = new AbortController();
  private readonly underWay = new Set<Promise<void>>();
  private loop: Promise<void> = Promise.resolve();

  constructor(private readonly ports: DeskPorts) {}

  onApplicationBootstrap(): void {
    this.loop = this.run();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.loop;
    await Promise.race([Promise.all(this.underWay), sleep(drainMs, undefined, { ref: false })]);
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const isTaken = this.underWay.size < atOnce && (await this.begin());
      if (isTaken) continue;
      await sleep(lookMs, undefined, { ref: false, signal }).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
    }
  }

  /** Whether there was one to begin with. Never rejects. */
  private async begin(): Promise<boolean> {
    try {
      const wish = await this.ports.wishes.take(leaseMs);
      if (wish === undefined) return false;
      const answered = this.answer(wish).finally(() => this.underWay.delete(answered));
      this.underWay.add(answered);
      return true;
    } catch (error) {
      this.ports.log.warn({ message: 'wishes for assessments cannot be looked at', reason: failureText(error) });
      return false;
    }
  }

  /** Never rejects: what cannot be reached now is tried again, and what has failed otherwise is not. */
  private async answer(wish: AssessmentWish): Promise<void> {
    const { wishes, log } = this.ports;
    const sessionId = wish.session;
    try {
      try {
        await this.write(wish);
      } catch (error) {
        if (isTransient(error)) {
          log.warn({ message: 'an assessment is tried again', sessionId, reason: failureText(error) });
          await wishes.putBack(wish, isHandedBack(error) ? 0 : againMs);
          return;
        }
        log.error({ message: 'an assessment failed', sessionId, reason: failureText(error) });
      }
      await wishes.done(wish);
    } catch (trouble) {
      // The wish is free again when its lease is over.
      log.warn({ message: 'a wish for an assessment was not put away', sessionId, reason: failureText(trouble) });
    }
  }

  private async write({ session: id, number }: AssessmentWish): Promise<void> {
    const { assessments, records, clock, assess } = this.ports;
    const session = await records.load(id);
    if (session === undefined || assess === undefined || session.request.settings.use_rules_only) return;
    const newest = await assessments.newest(session);
    // Written by a worker that has died before it could say so.
    if (newest !== undefined && newest.number >= number) return;
    const made = await this.madeOf(session, () => assess(session, number));
    try {
      await assessments.keep(session, { number, assessment: { ...made, writtenAt: isoTime(clock) } });
    } catch (error) {
      // Another try would pay again: where this cannot be kept, no reply can.
      this.ports.log.error({ message: 'an assessment cannot be kept', sessionId: id, reason: failureText(error) });
    }
  }

  /** A bug is told with the session: another try would end as this one. @throws Fault (transient) */
  private async madeOf(
    { id, status, version }: Session,
    make: () => Promise<Omit<KeptAssessment, 'writtenAt'>>,
  ): Promise<Omit<KeptAssessment, 'writtenAt'>> {
    try {
      return await make();
    } catch (error) {
      if (isTransient(error)) throw error;
      this.ports.log.error({ message: 'an assessment failed', sessionId: id, reason: failureText(error) });
      return { status, version, failed: 'error', why: 'The service failed; its log says more.' };
    }
  }
}
