import { Logger } from '@nestjs/common';
import { beamlinesAnswerSchema, proposalsAnswerSchema, type MemberAnswer } from '@fleet/contracts/access';
import { failureText } from '@fleet/contracts/faults';
import { mistakesIn, type Schema } from '@fleet/contracts/schema';
import type { Clock, MemberAnswers } from '@fleet/ports';
import { ApiError } from '../../http/errors/problem-details';
import { BadAnswer, fetchDocument, isBadAnswer, type FetchManners } from '../identity/fetch-document';
import type { ProposalMembers } from './proposal-members';

/** Milliseconds for which an answer counts while no newer one is available. */
const believedMs = 24 * 60 * 60_000;
/** Milliseconds between two questions to an office that does not answer: meanwhile nobody waits for it. */
const pauseMs = 10_000;
const mostRecent = 10_000;

/** How the user office is asked. */
export interface HookSettings {
  readonly url: string;
  readonly token?: string | undefined;
  /** Milliseconds for which an answer counts without asking again. */
  readonly freshMs: number;
  /** Milliseconds that it may take for an answer. */
  readonly timeoutMs?: number;
}

/** What is asked about: `owner` for their proposals, `proposal` for its beamlines. */
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
    'The user office says who belongs to which proposal, and cannot be asked at the moment. Try again; sessions that run continue.',
  );

/**
 * Members of proposals as the user office says them, by HTTP. An answer is kept in Redis for all gateways: it counts for minutes, and while the
 * office is away for a day.
 */
export class MembersHook implements ProposalMembers {
  private readonly logger = new Logger('Access');
  /** Answers that are fresh, and questions that are being asked: whoever comes at once asks once. */
  private readonly recent = new Map<string, MemberAnswer>();
  private readonly asking = new Map<string, Promise<readonly string[]>>();
  /** When a question may be asked again that was answered badly, and when any may that found nobody. */
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

  /** Undefined: the office cannot say. */
  private async ask(about: Subject, name: string): Promise<MemberAnswer | undefined> {
    const question = `${about}:${name}`;
    const requestedAt = this.clock.now();
    if (this.isPaused(question, requestedAt)) return undefined;
    // While it is away one question at a time finds out whether it is back.
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

  /** A clock that was put back ends a pause. */
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
      // It is there: others may have better luck with it.
      if (!this.againAt.has(question))
        this.logger.error({ message: 'the user office gave no usable answer; the last one counts', question, reason });
      this.put(this.againAt, question, until);
      return;
    }
    if (!this.isAway)
      this.logger.error({ message: 'the user office cannot be asked; what it said last counts for a day', reason });
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
    // An answer of tomorrow is one of a clock that was wrong.
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
