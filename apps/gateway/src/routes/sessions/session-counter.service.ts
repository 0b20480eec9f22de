import { isWithinReach, reachOf } from '@fleet/access';
import type { Principal } from '@fleet/contracts/access';
import { attemptOfName } from '@fleet/contracts/runs';
import { sessionOutcomes, sessionStatuses, type SessionCounts, type SessionRow } from '@fleet/contracts/sessions';
import type { Waiter } from '@fleet/fair-shares';
import {
  CLOCK,
  LAUNCH_CONTROL,
  RUN_SLOTS,
  SESSION_INDEX,
  type Clock,
  type LaunchControl,
  type RunSlots,
  type SessionGroup,
  type SessionIndex,
} from '@fleet/ports';
import { Inject, Injectable } from '@nestjs/common';
import { RecentAnswer } from '../../http/recent-answer';
import { countedGroups } from './counted-groups';

/** Lifetime of the queue snapshot in milliseconds: every open page requests it, most of all when the queue is long. */
const freshMs = 2_000;

/** The owner of a waiting run, as far as known. */
type Labels = Pick<SessionRow, 'proposal' | 'beamline' | 'submitter' | 'batch'>;

const names = ['proposal', 'beamline', 'submitter', 'batch'] as const;

/** Counts the sessions that a caller can see. */
@Injectable()
export class SessionCounter {
  private readonly recent: RecentAnswer<readonly Waiter[]>;

  constructor(
    @Inject(SESSION_INDEX) private readonly index: SessionIndex,
    @Inject(RUN_SLOTS) private readonly slots: RunSlots,
    @Inject(LAUNCH_CONTROL) private readonly control: LaunchControl,
    @Inject(CLOCK) clock: Clock,
  ) {
    this.recent = new RecentAnswer(clock, freshMs);
  }

  /** @param group without status and outcome, which are counted separately */
  async of(principal: Principal, group: SessionGroup): Promise<SessionCounts> {
    const counted = countedGroups(reachOf(principal), group);
    const number = async (more: SessionGroup): Promise<number> => {
      const counts = await Promise.all(
        counted.map(async (one) => one.sign * (await this.index.count({ ...one.group, ...more }))),
      );
      // Each is counted at a different moment.
      return Math.max(
        0,
        counts.reduce((sum, count) => sum + count, 0),
      );
    };
    const [statuses, outcomes, waiting, launches] = await Promise.all([
      Promise.all(sessionStatuses.map(async (status) => [status, await number({ status })] as const)),
      Promise.all(sessionOutcomes.map(async (outcome) => [outcome, await number({ outcome })] as const)),
      this.waiting(principal, group),
      this.control.read(),
    ]);
    return {
      sessions: Object.fromEntries(statuses) as SessionCounts['sessions'],
      outcomes: Object.fromEntries(outcomes) as SessionCounts['outcomes'],
      ...waiting,
      ...(launches.mode !== 'open' && { launches }),
    };
  }

  private async waiting(
    principal: Principal,
    group: SessionGroup,
  ): Promise<Pick<SessionCounts, 'waiting' | 'oldestWaitingSince'>> {
    const waiters = await this.waiters();
    const labels = await this.labelsOf(waiters, principal, group);
    const isCounted = (of: Labels | undefined): boolean =>
      of !== undefined &&
      isWithinReach(principal, of) &&
      names.every((name) => group[name] === undefined || group[name] === of[name]);
    const since = waiters.filter((_, at) => isCounted(labels[at])).map((waiter) => waiter.since);
    return {
      waiting: since.length,
      ...(since.length > 0 && { oldestWaitingSince: new Date(Math.min(...since)).toISOString() }),
    };
  }

  /** The queue contains proposals and submitters; other labels come from the rows. */
  private async labelsOf(
    waiters: readonly Waiter[],
    principal: Principal,
    { beamline, batch }: SessionGroup,
  ): Promise<readonly (Labels | undefined)[]> {
    const needsRows = beamline !== undefined || batch !== undefined || principal.beamlines.length > 0;
    if (!needsRows) return waiters.map(({ proposal, user }) => ({ proposal, submitter: user, beamline: '' }));
    return this.index.rows(waiters.map(({ name }) => attemptOfName(name)?.sessionId ?? ''));
  }

  private waiters(): Promise<readonly Waiter[]> {
    return this.recent.get(async () => (await this.slots.line()).waiters);
  }
}
