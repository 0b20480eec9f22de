import { createHash } from 'node:crypto';
import { failureText, Fault, isFault, isTransient } from '@fleet/contracts/faults';
import type { JsonValue } from '@fleet/contracts/sessions';
import { answerQuestion, type Answerer } from '@fleet/decision-graph';
import { Loop } from '@fleet/loop';
import { hashOf, readPlanQuestion, type Plan, type TurnOutcome } from '@fleet/model-turns';
import { isoTime, type Clock, type ModelInquiries, type ModelInquiry } from '@fleet/ports';
import type { BeforeApplicationShutdown, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { BesideSteps } from '../beside/beside-steps';
import type { SitePlanner } from '../decide/site-planner';

/** Short, because the requester waits. */
const lookMs = 200;
/** Questions answered in parallel by one worker. */
const atOnce = 16;
/** Lease of a question by one worker, renewed every second; another worker takes it when that worker has died. */
const leaseMs = 15_000;
/**
 * Interval of the provider announcement, which is valid for six times as long, because a machine under load is late.
 */
const offerMs = 5_000;
/** The account of a caller's day is not needed for longer. */
const retentionMs = 2 * 86_400_000;

interface DeskPorts {
  readonly inquiries: ModelInquiries;
  readonly site: Pick<SitePlanner, 'providers' | 'answerer' | 'openBeside'>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'error' | 'log' | 'warn'>;
}

const hashed = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

/**
 * Calls models for requests of the v2 decision API, which gateways cannot: beside the steps, and only while a requester
 * waits.
 */
export class InquiryDesk implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly beside: BesideSteps<ModelInquiry>;
  private readonly offering: Loop;

  constructor(private readonly ports: DeskPorts) {
    this.offering = new Loop(
      () => ports.inquiries.offer(ports.site.providers, 6 * offerMs),
      offerMs,
      (error) =>
        ports.log.warn({ message: 'the available model providers cannot be announced', reason: failureText(error) }),
    );
    this.beside = new BesideSteps({
      lookMs,
      atOnce,
      take: () => ports.inquiries.take(leaseMs),
      answer: (inquiry) => this.answer(inquiry),
      onTrouble: (error) =>
        ports.log.warn({ message: 'requests for models cannot be read', reason: failureText(error) }),
    });
  }

  /** A site without providers offers nothing, and does not poll. */
  onApplicationBootstrap(): void {
    if (this.ports.site.providers.length === 0) return;
    this.offering.start();
    this.beside.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.offering.stop(), this.beside.stop()]);
  }

  /** Never rejects: another worker answers what this one cannot. */
  private async answer(inquiry: ModelInquiry): Promise<void> {
    const { inquiries, log } = this.ports;
    const { id, caller, provider } = inquiry;
    try {
      const outcome = await this.outcomeOf(inquiry);
      await inquiries.answer(id, outcome as unknown as JsonValue);
      const result = 'value' in outcome ? `answered by ${outcome.target}` : outcome.code;
      log.log({ message: 'models were called for a v2 request', caller, provider, result });
    } catch (error) {
      log.warn({ message: 'a request for models is retried', caller, provider, reason: failureText(error) });
      if (isFault(error) && error.code === 'decision.handed_back') await this.putBack(id);
    }
  }

  /** Makes it available to other workers at once. Never rejects: if it fails, they take it when its lease expires. */
  private async putBack(id: string): Promise<void> {
    try {
      await this.ports.inquiries.isWanted(id, 0);
    } catch (error) {
      this.ports.log.warn({ message: 'a question for models was not requeued', reason: failureText(error) });
    }
  }

  /** A bug is reported as an answer: a retry would end the same way. @throws Fault (transient) */
  private async outcomeOf(inquiry: ModelInquiry): Promise<TurnOutcome<Plan>> {
    try {
      return await this.ask(inquiry);
    } catch (error) {
      if (isTransient(error)) throw error;
      this.ports.log.error({ message: 'a request for models failed', reason: failureText(error) });
      return { attempts: [], code: 'model_unavailable', why: 'The service failed; see its log.' };
    }
  }

  private async ask(inquiry: ModelInquiry): Promise<TurnOutcome<Plan>> {
    const { inquiries, site, clock } = this.ports;
    const { id, caller, proposal, provider } = inquiry;
    const answerer = site.answerer(provider);
    const question = readPlanQuestion(inquiry.question);
    if (answerer === undefined || question === undefined)
      throw new Fault('decision.unknown_question', 'bug', `No role of this site calls models of ${provider} for this`);
    // A caller's day has its own account, like a session.
    const session = `v2-${isoTime(clock).slice(0, 10)}-${hashed(caller)}`;
    const work = { session, proposal, name: `plan-${hashOf(question.forms[0]).slice(0, 16)}`, retentionMs };
    const watch = await site.openBeside(work, () => inquiries.isWanted(id, leaseMs));
    return answerQuestion(budgeted(answerer, inquiry), question, {
      work,
      watch,
      replies: {
        find: (hash) => inquiries.reply(provider, hash),
        keep: (hash, reply) => inquiries.keepReply(provider, hash, reply),
      },
    });
  }
}

/** A request without a proposal has no budget that could be used up. */
const budgeted = (answerer: Answerer, { proposal }: Pick<ModelInquiry, 'proposal'>): Answerer => {
  if (proposal !== '') return answerer;
  const { session, day } = answerer.accounting.budgets;
  const budgets = { ...(session && { session }), ...(day && { day }) };
  return { ...answerer, accounting: { ...answerer.accounting, budgets } };
};
