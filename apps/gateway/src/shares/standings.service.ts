import { attemptName, type SessionHead, type SessionPage, type StandingView } from '@fleet/contracts';
import { standingsOf } from '@fleet/fair-shares';
import { CLOCK, RUN_SLOTS, type Clock, type RunSlots } from '@fleet/ports';
import { Inject, Injectable } from '@nestjs/common';
import { CurrentShares } from './current-shares.service';
import { RecentAnswer } from './recent-answer';

/** Milliseconds for which an answer is good enough: thousands may ask, and the line is long when they do. */
const freshMs = 2_000;

type Known = ReadonlyMap<string, StandingView>;

/** Where programs stand that wait for a slot. Seconds old at most; made from the line that all executors share. */
@Injectable()
export class Standings {
  private readonly recent: RecentAnswer<Known>;

  constructor(
    @Inject(RUN_SLOTS) private readonly slots: RunSlots,
    @Inject(CurrentShares) private readonly shares: CurrentShares,
    @Inject(CLOCK) clock: Clock,
  ) {
    this.recent = new RecentAnswer(clock, freshMs);
  }

  /** Undefined: it does not wait for a slot, or it is next. */
  async of({ id, cycle, attempt }: Pick<SessionHead, 'id' | 'cycle' | 'attempt'>): Promise<StandingView | undefined> {
    return (await this.all()).get(attemptName(id, cycle, attempt));
  }

  /** The page, with the standing of each session on it that waits for a slot. */
  async shownIn(page: SessionPage): Promise<SessionPage> {
    if (page.sessions.every(({ waiting }) => waiting === undefined)) return page;
    const standings = await this.all();
    const sessions = page.sessions.map((row) => {
      const standing = standings.get(attemptName(row.id, row.cycle, row.attempt));
      return row.waiting === undefined || standing === undefined ? row : { ...row, standing };
    });
    return { ...page, sessions };
  }

  private all(): Promise<Known> {
    return this.recent.get(() => this.look());
  }

  private async look(): Promise<Known> {
    const [{ site, typicalMs, ...line }, { policy }] = await Promise.all([this.slots.line(), this.shares.view()]);
    return site === undefined ? new Map() : standingsOf(line, { site, shares: policy }, typicalMs);
  }
}
