import { Fault, isFault, isTransient } from '@fleet/contracts/faults';
import type { DeadStepDetail, DeadStepsView, UnchangedStep, StepsDropped, StepsRetried } from '@fleet/contracts/queues';
import type { FailedJobs, SessionRecords, SessionWaker, StepSchedule } from '@fleet/ports';
import type { ResumeSession } from '@fleet/sessions';
import { causesOf, fits, stepsOf, toDeadStep, toDetail, type FoundStep } from './found-steps';
import type { ChosenSteps, DeadStepFilter } from './read-dead-steps';

type Retried = StepsRetried['retried'][number];

const unknownStep = 'It is unknown: dropped, retried, or no longer stored.';
/** An infrastructure failure, which would affect every step. */
const isOfAll = (error: unknown): boolean => isTransient(error) && /^(?:store|queue)\./.test(error.code);
const wentOn = 'Its session has continued meanwhile.';

/** Dependencies of the commands of dead steps. */
export interface DeadStepPorts {
  readonly failed: FailedJobs;
  readonly schedule: Pick<StepSchedule, 'postpone' | 'acknowledge'>;
  readonly records: Pick<SessionRecords, 'load' | 'loadHead'>;
  readonly resuming: Pick<ResumeSession, 'later'>;
}

/**
 * Steps that failed permanently. A retry wakes no session itself: it sets the deadline of each session, one after the other at the requested
 * rate, and the sweepers wake them when it comes. So it costs one request, and survives the end of this gateway.
 */
export class DeadSteps {
  constructor(private readonly ports: DeadStepPorts) {}

  async view(filter: DeadStepFilter, limit: number): Promise<DeadStepsView> {
    const found = (await this.all()).filter((step) => fits(step, filter));
    const shown = found.slice(0, limit);
    return { causes: causesOf(found), steps: shown.map(toDeadStep), more: found.length - shown.length };
  }

  /** @throws Fault `step.not_found` */
  async look(id: string): Promise<DeadStepDetail> {
    const step = (await this.all()).find((one) => one.id === id);
    if (step === undefined) throw new Fault('step.not_found', 'not_found', `Unknown dead step ${id}. ${unknownStep}`);
    return toDetail(step);
  }

  /**
   * Retries steps, `perMinute` of them in a minute, the oldest first.
   * @param onRetried called for each when its session is scheduled
   * @throws Fault `store.unreachable`, `queue.unreachable` (transient): earlier steps are retried
   */
  async retry(chosen: ChosenSteps, perMinute: number, onRetried: (id: string) => void): Promise<StepsRetried> {
    const { found, unchanged } = await this.chosen(chosen);
    const retried: Retried[] = [];
    for (const step of found) {
      const inMs = Math.floor((retried.length * 60_000) / perMinute);
      const reason = await this.retryOne(step, inMs);
      if (reason !== undefined) {
        unchanged.push({ id: step.id, reason });
        continue;
      }
      onRetried(step.id);
      await this.forget(step);
      retried.push({ id: step.id, sessionId: step.jobs[0].of?.sessionId ?? '', inSeconds: Math.ceil(inMs / 1000) });
    }
    return { retried, unchanged };
  }

  /**
   * Drops steps that no session waits for.
   * @param onDropped called for each
   * @throws Fault `store.unreachable`, `queue.unreachable` (transient): earlier steps are dropped
   */
  async drop(chosen: ChosenSteps, onDropped: (id: string) => void): Promise<StepsDropped> {
    const { found, unchanged } = await this.chosen(chosen);
    const dropped: string[] = [];
    for (const step of found) {
      if (step.state === 'woken') {
        const reason = 'Its session is still at this step and is woken again; cancel the session first.';
        unchanged.push({ id: step.id, reason });
        continue;
      }
      await this.forget(step);
      onDropped(step.id);
      dropped.push(step.id);
    }
    return { dropped, unchanged };
  }

  private async all(): Promise<readonly FoundStep[]> {
    return stepsOf(this.ports.records, await this.ports.failed.list());
  }

  private async chosen(
    chosen: ChosenSteps,
  ): Promise<{ readonly found: readonly FoundStep[]; readonly unchanged: UnchangedStep[] }> {
    const all = await this.all();
    if ('cause' in chosen) return { found: all.filter((step) => fits(step, chosen)), unchanged: [] };
    const wanted = new Set(chosen.steps);
    const found = all.filter(({ id }) => wanted.delete(id));
    return { found, unchanged: [...wanted].map((id) => ({ id, reason: unknownStep })) };
  }

  /** The reason if it cannot be retried; undefined if it is scheduled. */
  private async retryOne(step: FoundStep, inMs: number): Promise<string | undefined> {
    try {
      const isDue = step.state === 'given_up' ? await this.resume(step, inMs) : await this.postpone(step, inMs);
      return isDue ? undefined : wentOn;
    } catch (error) {
      // A session with a missing folder or a concurrent change does not block the others.
      if (!isOfAll(error) && isFault(error)) return error.message;
      throw error;
    }
  }

  private async postpone({ state, jobs: [{ of }] }: FoundStep, inMs: number): Promise<boolean> {
    if (state !== 'woken' || of === undefined) return false;
    return (await this.ports.schedule.postpone(of.sessionId, of.sessionVersion, inMs, false)) !== undefined;
  }

  /** Without a wake-up in the outbox, which would be immediate; only the deadline counts. */
  private async resume({ jobs: [{ of }] }: FoundStep, inMs: number): Promise<boolean> {
    if (of === undefined) return false;
    const wake: SessionWaker['wake'] = ({ id, version }) => this.ports.schedule.acknowledge(id, version);
    return this.ports.resuming.later(of.sessionId, of.sessionVersion + 1, inMs, { wake });
  }

  private async forget({ jobs }: FoundStep): Promise<void> {
    await Promise.all(jobs.map((job) => this.ports.failed.forget(job)));
  }
}
