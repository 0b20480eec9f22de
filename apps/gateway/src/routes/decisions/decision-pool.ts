import { extname, join } from 'node:path';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { FirstStep } from '@fleet/contracts/batches';
import { Fault } from '@fleet/contracts/faults';
import type { Replay } from '@fleet/contracts/results';
import type { ProgramCatalogue } from '@fleet/contracts/service';
import type { Session } from '@fleet/contracts/sessions';
import type { DecideResponse } from '@fleet/decision-api';
import { TaskFailure, TaskPool, threadsOf, type FailureReason, type ThreadScript } from '@fleet/task-pool';
import { ApiError } from '../../http/errors/problem-details';
import type {
  Answered,
  DecisionAnswer,
  DecisionDesk,
  DecisionTask,
  EncodedResult,
  FirstDecisions,
  Replays,
  RequestTask,
} from './decision-task';

export interface DecisionPoolOptions {
  /** Folder of the rules; every thread reads it once. */
  readonly knowledge: string;
  /** Number of threads. */
  readonly threads: number;
  /** Maximum waiting requests. */
  readonly maxWaiting: number;
  /** Time limit of a request in the queue, in milliseconds. */
  readonly longestWaitMs: number;
  /** Time limit of one decision, in milliseconds. */
  readonly timeoutMs: number;
  /** Arguments of Node.js for the threads; by default those of this process. */
  readonly execArgv?: readonly string[];
}

/** Heap limit of a thread in MiB: ten times what the largest allowed request needs. */
const heapMib = 512;

const scriptOf = ({ execArgv }: DecisionPoolOptions): ThreadScript => ({
  file: join(__dirname, `decision-thread${extname(__filename)}`),
  ...(execArgv === undefined ? {} : { execArgv }),
});

const busy = (): Fault =>
  new Fault('decisions.busy', 'transient', 'Too many decisions are in progress; nothing was decided. Try again.');

const tooCostly = (what: string): ApiError =>
  new ApiError(
    'decision.too_costly',
    `The decision ${what} and was abandoned; nothing was decided. Send fewer files, cycles or entries, or try again later.`,
  );

/** Failures that are unrelated to the request and must be fixed here. */
const ownMistakes: ReadonlySet<FailureReason> = new Set(['ended', 'failed']);

/** Decides outside the gateway's event loop, so that a heavy request does not block others. */
export class DecisionPool implements DecisionDesk, FirstDecisions, Replays, OnApplicationShutdown {
  private readonly pool: TaskPool<DecisionTask, DecisionAnswer>;

  constructor(private readonly options: DecisionPoolOptions) {
    const { knowledge, timeoutMs, threads: workers, maxWaiting, longestWaitMs } = options;
    const start = threadsOf<DecisionTask, DecisionAnswer>(
      scriptOf(options),
      { timeoutMs, memoryMib: heapMib },
      { knowledge },
    );
    this.pool = new TaskPool(start, { workers, maxWaiting, longestWaitMs });
  }

  /** @throws Fault `decisions.busy` or `decision.too_costly` */
  async answer(document: unknown): Promise<DecideResponse> {
    return (await this.decide({ kind: 'document', document })).answer as DecideResponse;
  }

  /** @throws Fault `decisions.busy` or `decision.too_costly` */
  async answerEncoded(encoded: string): Promise<EncodedResult> {
    return (await this.decide({ kind: 'encoded', encoded })).answer as EncodedResult;
  }

  /** @throws Fault `decisions.busy` or `decision.too_costly` */
  async decide(task: RequestTask): Promise<Answered> {
    return (await this.ask(task)) as Answered;
  }

  /** @throws Fault `decisions.busy` or `decision.too_costly` */
  async firstStep(session: Session, catalogue: ProgramCatalogue): Promise<FirstStep> {
    return (await this.ask({ kind: 'first', session, catalogue })) as FirstStep;
  }

  /** @throws Fault `decisions.busy` or `decision.too_costly` */
  async replay(session: Session, catalogue: ProgramCatalogue): Promise<Replay> {
    return (await this.ask({ kind: 'replay', session, catalogue })) as Replay;
  }

  onApplicationShutdown(): Promise<void> {
    return this.pool.close();
  }

  private async ask(task: DecisionTask): Promise<DecisionAnswer> {
    try {
      return await this.pool.run(task);
    } catch (error) {
      throw error instanceof TaskFailure ? this.told(error) : error;
    }
  }

  private told(failure: TaskFailure): unknown {
    if (failure.reason === 'time') return tooCostly(`took longer than ${String(this.options.timeoutMs / 1000)} s`);
    if (failure.reason === 'memory') return tooCostly('needed too much memory');
    return ownMistakes.has(failure.reason) ? (failure.cause ?? failure) : busy();
  }
}
