import {
  isFault,
  isTransient,
  type DeadStepDetail,
  type DeadStepsView,
  type KeptStep,
  type StepsDropped,
  type StepsRetried,
} from '@fleet/contracts';
import { FAILED_JOBS, STEP_SCHEDULE, type FailedJobs, type StepSchedule } from '@fleet/ports';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError, isApiError } from '../errors/problem-details';
import { SESSION_TOOLS, findEnded, type SessionTools } from '../session-tools/reopen-session';
import { reopenWith } from '../session-tools/resume-session';
import { causesOf, fits, stepsOf, toDeadStep, toDetail, type FoundStep } from './found-steps';
import type { ChosenSteps, DeadStepFilter } from './read-dead-steps';

type Retried = StepsRetried['retried'][number];

const unknownStep = 'It is not known: it was dropped or retried, or its queue does not keep it any more.';
/** The service's own trouble, which meets one step after the other. */
const isOfAll = (error: unknown): boolean => isTransient(error) && /^(?:store|queue)\./.test(error.code);
const wentOn = 'Its session has moved on meanwhile.';

/**
 * Steps that failed for good. A retry wakes nobody itself: it sets the deadline of each session, one after the other at the rate that was
 * asked for, and the sweepers wake them when it comes. So it costs one request, and survives the end of this gateway.
 */
@Injectable()
export class DeadSteps {
  constructor(
    @Inject(FAILED_JOBS) private readonly failed: FailedJobs,
    @Inject(STEP_SCHEDULE) private readonly schedule: Pick<StepSchedule, 'postpone' | 'acknowledge'>,
    @Inject(SESSION_TOOLS) private readonly tools: SessionTools,
  ) {}

  async view(filter: DeadStepFilter, limit: number): Promise<DeadStepsView> {
    const found = (await this.all()).filter((step) => fits(step, filter));
    const shown = found.slice(0, limit);
    return { causes: causesOf(found), steps: shown.map(toDeadStep), more: found.length - shown.length };
  }

  /** @throws ApiError `step.not_found` */
  async look(id: string): Promise<DeadStepDetail> {
    const step = (await this.all()).find((one) => one.id === id);
    if (step === undefined) throw new ApiError('step.not_found', `There is no dead step ${id}. ${unknownStep}`);
    return toDetail(step);
  }

  /**
   * Lets steps be tried again, `perMinute` of them in a minute, the oldest first.
   * @param onRetried hears of each as soon as its session will be woken
   * @throws Fault `store.unreachable`, `queue.unreachable` (transient): those before are retried
   */
  async retry(chosen: ChosenSteps, perMinute: number, onRetried: (id: string) => void): Promise<StepsRetried> {
    const { found, kept } = await this.chosen(chosen);
    const retried: Retried[] = [];
    for (const step of found) {
      const inMs = Math.floor((retried.length * 60_000) / perMinute);
      const because = await this.retryOne(step, inMs);
      if (because !== undefined) {
        kept.push({ id: step.id, because });
        continue;
      }
      onRetried(step.id);
      await this.forget(step);
      retried.push({ id: step.id, sessionId: step.jobs[0].of?.sessionId ?? '', inSeconds: Math.ceil(inMs / 1000) });
    }
    return { retried, kept };
  }

  /**
   * Forgets steps that no session waits for.
   * @param onDropped hears of each
   * @throws Fault `store.unreachable`, `queue.unreachable` (transient): those before are dropped
   */
  async drop(chosen: ChosenSteps, onDropped: (id: string) => void): Promise<StepsDropped> {
    const { found, kept } = await this.chosen(chosen);
    const dropped: string[] = [];
    for (const step of found) {
      if (step.standing === 'woken') {
        const because = 'Its session is still at this step and is woken again; cancel the session first.';
        kept.push({ id: step.id, because });
        continue;
      }
      await this.forget(step);
      onDropped(step.id);
      dropped.push(step.id);
    }
    return { dropped, kept };
  }

  private async all(): Promise<readonly FoundStep[]> {
    return stepsOf(this.tools.records, await this.failed.list());
  }

  private async chosen(
    chosen: ChosenSteps,
  ): Promise<{ readonly found: readonly FoundStep[]; readonly kept: KeptStep[] }> {
    const all = await this.all();
    if ('cause' in chosen) return { found: all.filter((step) => fits(step, chosen)), kept: [] };
    const wanted = new Set(chosen.steps);
    const found = all.filter(({ id }) => wanted.delete(id));
    return { found, kept: [...wanted].map((id) => ({ id, because: unknownStep })) };
  }

  /** Why not; undefined when it will be. */
  private async retryOne(step: FoundStep, inMs: number): Promise<string | undefined> {
    try {
      const isDue = step.standing === 'given_up' ? await this.resume(step, inMs) : await this.postpone(step, inMs);
      return isDue ? undefined : wentOn;
    } catch (error) {
      // One session whose folder is away, or that somebody else was faster with, does not keep the others.
      if (!isOfAll(error) && (isApiError(error) || isFault(error))) return error.message;
      throw error;
    }
  }

  private async postpone({ standing, jobs: [{ of }] }: FoundStep, inMs: number): Promise<boolean> {
    if (standing !== 'woken' || of === undefined) return false;
    return (await this.schedule.postpone(of.sessionId, of.sessionVersion, inMs, false)) !== undefined;
  }

  /** The outbox would wake it at once; its deadline is what counts. */
  private async resume({ jobs: [{ of }] }: FoundStep, inMs: number): Promise<boolean> {
    if (of === undefined) return false;
    const session = await findEnded(this.tools.records, of.sessionId, undefined);
    if (session.version !== of.sessionVersion + 1) return false;
    const wake: SessionTools['wake'] = ({ id, version }) => this.schedule.acknowledge(id, version);
    await reopenWith({ ...this.tools, dueInMs: inMs, wake }, session, { request: session.request, said: undefined });
    return true;
  }

  private async forget({ jobs }: FoundStep): Promise<void> {
    await Promise.all(jobs.map((job) => this.failed.forget(job)));
  }
}
