import { Logger } from '@nestjs/common';
import { beamlinesAnswerSchema, proposalsAnswerSchema, type MemberAnswer } from '@fleet/contracts/access';
import { failureText } from '@fleet/contracts/faults';
import { mistakesIn, type Schema } from '@fleet/contracts/schema';
import type { Clock, MemberAnswers } from '@fleet/ports';
import { ApiError } from '../../http/errors/problem-details';
import { BadAnswer, fetchDocument, isBadAnswer, type FetchManners } from '../identity/fetch-document';
import type { ProposalMembers } from './proposal-members';

/** Lifetime of an answer without a newer one, in milliseconds. */
const believedMs = 24 * 60 * 60_000;
/** Milliseconds between two queries to an office that does not respond; callers do not wait meanwhile. */
const pauseMs = 10_000;
const mostRecent = 10_000;

/** Connection settings of the user office. */
export interface HookSettings {
  readonly url: string;
  readonly token?: string | undefined;
  /** Lifetime of an answer before it is queried again, in milliseconds. */
  readonly freshMs: number;
  /** Timeout of a query, in milliseconds. */
  readonly timeoutMs?: number;
}

/** The subject of a query: `owner` for their proposals, `proposal` for its beamlines. */
type Subject = 'owner' | 'proposal';

const readNames = (about: Subject, answer: unknown): readonly string[] => {
  const [schema, member]: [Schema<object>, string] =
    about === 'owner' ? [proposalsAnswerSchema, 'proposals'] : [beamlinesAnswerSchema, 'beamlines'];
  const [mistake] = mistakesIn(schema, answer);
  if (mistake !== undefined) throw new BadAnswer(`its answer: ${mistake.field} ${mistake.reason}`);
  return (Reflect.get(answer as object, member) ?? []) as readonly string[];
};

const unavailable = (): ApiError =>
  new ApiError(
    'access.members_unavailable',
    'The user office, which lists the members of proposals, is unreachable. Try again; running sessions continue.',
  );

/**
 * Members of proposals, from the user office's HTTP API. Redis stores an answer for all gateways: it is used for
 * minutes, and while the office is unavailable for a day.
 */
export class MembersHook implements ProposalMembers {
  private readonly logger = new Logger('Access');
  /** Fresh answers, and queries in progress: concurrent callers share one query. */
  private readonly recent = new Map<string, MemberAnswer>();
  private readonly asking = new Map<string, Promise<readonly string[]>>();
  /** When a failed query may be repeated, and when any may after the office did not respond. */
  private readonly againAt = new Map<string, number>();
  private officeAgainAt = 0;
  private isAway = false;

  constructor(
    private readonly settings: HookSettings,
    private readonly answers: MemberAnswers,
    private readonly clock: Clock,
  ) {}

  /** @throws ApiError `access.members_unavailable` */
  proposalsOf(owner: string): Promise<readonly string[]> {
    return this.namesOf('owner', owner);
  }

  /** @throws ApiError `access.members_unavailable` */
  beamlinesOf(proposal: string): Promise<readonly string[]> {
    return this.namesOf('proposal', proposal);
  }

  private async namesOf(about: Subject, name: string): Promise<readonly string[]> {
    const question = `${about}:${name}`;
    const recent = this.recent.get(question);
    if (recent !== undefined && this.isYounger(recent, this.settings.freshMs)) return recent.names;
    const asking = this.asking.get(question) ?? this.find(about, name).finally(() => this.asking.delete(question));
    this.asking.set(question, asking);
    return asking;
  }

  private async find(about: Subject, name: string): Promise<readonly string[]> {
    const question = `${about}:${name}`;
    const stored = await this.answers.find(question);
    if (stored !== undefined && this.isYounger(stored, this.settings.freshMs)) return this.remember(question, stored);
    const answer = await this.ask(about, name);
    if (answer !== undefined) {
      await this.answers.keep(question, answer, believedMs);
      return this.remember(question, answer);
    }
    if (stored !== undefined && this.isYounger(stored, believedMs)) return stored.names;
    throw unavailable();
  }

  /** Undefined: the office cannot answer. */
  private async ask(about: Subject, name: string): Promise<MemberAnswer | undefined> {
    const question = `${about}:${name}`;
    const requestedAt = this.clock.now();
    if (this.isPaused(question, requestedAt)) return undefined;
    // While it is unavailable, one query at a time checks whether it is back.
    if (this.isAway) this.officeAgainAt = requestedAt + pauseMs;
    try {
      const names = readNames(about, await fetchDocument(this.addressOf(about, name), this.manners()));
      this.isBack(question);
      return { names, requestedAt };
    } catch (error) {
      this.isTroubled(question, error);
      return undefined;
    }
  }

  /** A clock that was set back ends a pause. */
  private isPaused(question: string, now: number): boolean {
    const until = Math.max(this.againAt.get(question) ?? 0, this.officeAgainAt);
    return now < until && until - now <= pauseMs;
  }

  private isBack(question: string): void {
    if (this.isAway) this.logger.log('the user office answers again');
    this.isAway = false;
    this.officeAgainAt = 0;
    this.againAt.delete(question);
  }

  private isTroubled(question: string, error: unknown): void {
    const until = this.clock.now() + pauseMs;
    const reason = failureText(error);
    if (isBadAnswer(error)) {
      // It responds: other queries may succeed.
      if (!this.againAt.has(question))
        this.logger.error({ message: 'the user office gave no usable answer; the last one counts', question, reason });
      this.put(this.againAt, question, until);
      return;
    }
    if (!this.isAway)
      this.logger.error({ message: 'the user office is unreachable; its last answer counts for a day', reason });
    this.isAway = true;
    this.officeAgainAt = until;
  }

  private remember(question: string, answer: MemberAnswer): readonly string[] {
    this.put(this.recent, question, answer);
    return answer.names;
  }

  private put<T>(map: Map<string, T>, question: string, value: T): void {
    if (map.size >= mostRecent) map.clear();
    map.set(question, value);
  }

  private isYounger({ requestedAt }: MemberAnswer, ms: number): boolean {
    const age = this.clock.now() - requestedAt;
    // An answer from the future came from a wrong clock.
    return Math.abs(age) < ms;
  }

  private addressOf(about: Subject, name: string): string {
    const address = new URL(this.settings.url);
    address.searchParams.set(about, name);
    return address.href;
  }

  private manners(): FetchManners {
    const { token, timeoutMs } = this.settings;
    return {
      ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
      ...(timeoutMs !== undefined && { timeoutMs }),
    };
  }
}
