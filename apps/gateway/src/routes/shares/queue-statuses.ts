import type { QueueStatus } from '@fleet/contracts/launches';
import { attemptName } from '@fleet/contracts/runs';
import type { SessionHead, SessionPage } from '@fleet/contracts/sessions';
import { queueStatusesOf } from '@fleet/fair-shares';
import { CurrentShares } from '@fleet/launches';
import { CLOCK, RUN_SLOTS, type Clock, type RunSlots } from '@fleet/ports';
import { Inject, Injectable } from '@nestjs/common';
import { RecentAnswer } from '../../http/recent-answer';

/** Lifetime of an answer in milliseconds: thousands of clients may request it, most of all when the queue is long. */
const freshMs = 2_000;

type StatusByRun = ReadonlyMap<string, QueueStatus>;

/**
 * Queue positions of programs that wait for a slot. At most seconds old; derived from the queue that all executors
 * share.
 */
@Injectable()
export class QueueStatuses {
  private readonly recent: RecentAnswer<StatusByRun>;

  constructor(
    @Inject(RUN_SLOTS) private readonly slots: RunSlots,
    @Inject(CurrentShares) private readonly shares: CurrentShares,
    @Inject(CLOCK) clock: Clock,
  ) {
    this.recent = new RecentAnswer(clock, freshMs);
  }

  /** Undefined: it does not wait for a slot, or it is next. */
  async of({ id, cycle, attempt }: Pick<SessionHead, 'id' | 'cycle' | 'attempt'>): Promise<QueueStatus | undefined> {
    return (await this.all()).get(attemptName(id, cycle, attempt));
  }

  /** The page, with the queueStatus of each session on it that waits for a slot. */
  async shownIn(page: SessionPage): Promise<SessionPage> {
    if (page.sessions.every(({ waiting }) => waiting === undefined)) return page;
    const queueStatuses = await this.all();
    const sessions = page.sessions.map((row) => {
      const queueStatus = queueStatuses.get(attemptName(row.id, row.cycle, row.attempt));
      return row.waiting === undefined || queueStatus === undefined ? row : { ...row, queueStatus };
    });
    return { ...page, sessions };
  }

  private all(): Promise<StatusByRun> {
    return this.recent.get(() => this.look());
  }

  private async look(): Promise<StatusByRun> {
    const [{ site, typicalMs, ...line }, { policy }] = await Promise.all([this.slots.line(), this.shares.view()]);
    return site === undefined ? new Map() : queueStatusesOf(line, { site, shares: policy }, typicalMs);
  }
}
