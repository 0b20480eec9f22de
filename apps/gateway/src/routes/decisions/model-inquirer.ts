import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { failureText, isTransient } from '@fleet/contracts/faults';
import type { JsonValue } from '@fleet/contracts/sessions';
import { Loop } from '@fleet/loop';
import { readPlanOutcome, type Plan, type TurnOutcome } from '@fleet/model-turns';
import type { ModelInquiries, ModelInquiry } from '@fleet/ports';
import type { Logger, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import type { Requester, OpenQuestion } from './decision-task';

/** Milliseconds between polls for an answer, and for the available providers. */
const lookMs = 150;
const providersMs = 2_000;
/** Maximum requests that wait for models, in total and per caller: the rules decide further ones. */
const mostWaiting = 64;
const mostOfCaller = 8;

const failed = (why: string): TurnOutcome<Plan> => ({ attempts: [], code: 'model_unavailable', why });

type Log = Pick<Logger, 'warn'>;

/** Requests model calls from decision workers: this process has no API key, and no connection to a model. */
export class ModelInquirer implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly ending = new AbortController();
  private readonly waiting = new Map<string, number>();
  private known: readonly string[] = [];
  private readonly loop: Loop;

  constructor(
    private readonly inquiries: ModelInquiries,
    private readonly log: Log,
  ) {
    this.loop = new Loop(
      async () => {
        this.known = await inquiries.providers();
      },
      providersMs,
      (error) => {
        // While the store is unreachable, there are none.
        if (this.known.length > 0)
          log.warn({ message: 'the available model providers are unknown', reason: failureText(error) });
        this.known = [];
      },
    );
  }

  /** Recently known providers; does not wait. */
  get providers(): readonly string[] {
    return this.known;
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async onModuleDestroy(): Promise<void> {
    this.ending.abort();
    await this.loop.stop();
  }

  /**
   * Never rejects because of models or the store: then the rules decide. @param deadline when the requester stops
   * waiting
   */
  async ask({ provider, question }: OpenQuestion, by: Requester, deadline: AbortSignal): Promise<TurnOutcome<Plan>> {
    const { caller, proposal } = by;
    if (this.isFull(caller)) return failed('Too many requests wait for models; this one was not sent.');
    const inquiry = { id: randomUUID(), caller, proposal, provider, question: question as unknown as JsonValue };
    this.count(caller, 1);
    try {
      return await this.answerTo(inquiry, AbortSignal.any([by.signal, deadline, this.ending.signal]));
    } catch (error) {
      if (!isTransient(error)) throw error;
      this.log.warn({ message: 'no model can be called for a v2 request', reason: failureText(error) });
      return failed('The store of model requests is unreachable.');
    } finally {
      this.count(caller, -1);
    }
  }

  private async answerTo(inquiry: ModelInquiry, signal: AbortSignal): Promise<TurnOutcome<Plan>> {
    const { inquiries } = this;
    await inquiries.ask(inquiry);
    while (!signal.aborted) {
      const answer = await inquiries.answerTo(inquiry.id);
      if (answer !== undefined)
        return readPlanOutcome(answer) ?? failed('The response of the model worker is invalid.');
      await sleep(lookMs);
    }
    await inquiries.withdraw(inquiry.id);
    return failed('No model has answered in time.');
  }

  private isFull(caller: string): boolean {
    const all = [...this.waiting.values()].reduce((sum, one) => sum + one, 0);
    return all >= mostWaiting || (this.waiting.get(caller) ?? 0) >= mostOfCaller;
  }

  private count(caller: string, more: 1 | -1): void {
    const now = (this.waiting.get(caller) ?? 0) + more;
    if (now === 0) this.waiting.delete(caller);
    else this.waiting.set(caller, now);
  }
}
