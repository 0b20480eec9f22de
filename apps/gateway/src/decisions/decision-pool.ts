import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { DecideResponse } from '@fleet/decision-api';
import { ApiError } from '../errors/problem-details';
import { errnoOf } from '../http/errno';
import type { DecisionDesk, DecisionReply, DecisionTask, EncodedResult } from './decision-task';

export interface DecisionPoolOptions {
  /** Folder of the rules; every thread reads it once. */
  readonly knowledge: string;
  /** Decisions at a time. */
  readonly threads: number;
  /** Requests that wait for a thread. */
  readonly mostWaiting: number;
  /** Milliseconds that a request waits for a thread. */
  readonly longestWaitMs: number;
  /** Milliseconds that one decision may take. */
  readonly patienceMs: number;
  /** Arguments of Node.js for the threads; by default those of this process. */
  readonly execArgv?: readonly string[];
}

/** MiB of a thread's heap: ten times what the largest request that is allowed needs. */
const heapMib = 512;

type Answer = DecideResponse | EncodedResult;

interface Job {
  readonly task: DecisionTask;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
  /** Ends the wait for a thread, then the decision. */
  timer?: NodeJS.Timeout;
}

interface Thread {
  readonly worker: Worker;
  ready: boolean;
  job?: Job | undefined;
}

const busy = (): ApiError =>
  new ApiError('decisions.busy', 'Too many decisions are being made; nothing was decided. Try again.');

const tooCostly = (what: string): ApiError =>
  new ApiError(
    'decision.too_costly',
    `The decision ${what} and was given up; nothing was decided. Send fewer files, cycles or entries, or ask again later.`,
  );

/**
 * Decides off the gateway's event loop, so that one heavy request keeps nobody else waiting. Threads start with the first requests; one
 * that takes too long, or too much memory, is ended and replaced.
 */
export class DecisionPool implements DecisionDesk, OnApplicationShutdown {
  private readonly threads = new Set<Thread>();
  private readonly waiting: Job[] = [];

  constructor(private readonly options: DecisionPoolOptions) {}

  /** @throws ApiError `decisions.busy` or `decision.too_costly` */
  async answer(document: unknown): Promise<DecideResponse> {
    return (await this.ask({ kind: 'document', document })) as DecideResponse;
  }

  /** @throws ApiError `decisions.busy` or `decision.too_costly` */
  async answerEncoded(encoded: string): Promise<EncodedResult> {
    return (await this.ask({ kind: 'encoded', encoded })) as EncodedResult;
  }

  async onApplicationShutdown(): Promise<void> {
    for (const job of this.waiting.splice(0))
      this.settle(job, () => {
        job.reject(busy());
      });
    await Promise.all([...this.threads].map((thread) => thread.worker.terminate()));
  }

  private ask(task: DecisionTask): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.waiting.length >= this.options.mostWaiting) {
        reject(busy());
        return;
      }
      const job: Job = { task, resolve, reject };
      job.timer = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(job), 1);
        reject(busy());
      }, this.options.longestWaitMs);
      this.waiting.push(job);
      this.next();
    });
  }

  private settle(job: Job, end: () => void): void {
    clearTimeout(job.timer);
    end();
  }

  /** Gives waiting requests to idle threads, and starts a thread where there is room for one. */
  private next(): void {
    const idle = [...this.threads].filter(({ ready, job }) => ready && job === undefined);
    for (const thread of idle) {
      const job = this.waiting.shift();
      if (job === undefined) return;
      this.give(job, thread);
    }
    const starting = [...this.threads].filter(({ ready }) => !ready).length;
    if (this.waiting.length > starting && this.threads.size < this.options.threads) this.start();
  }

  private give(job: Job, thread: Thread): void {
    clearTimeout(job.timer);
    thread.job = job;
    job.timer = setTimeout(() => {
      const seconds = String(this.options.patienceMs / 1000);
      this.end(thread, tooCostly(`took longer than ${seconds} s`));
    }, this.options.patienceMs);
    thread.worker.postMessage(job.task);
  }

  private start(): void {
    const file = join(__dirname, `decision-thread${extname(__filename)}`);
    const { knowledge, execArgv } = this.options;
    const worker = new Worker(file, {
      workerData: { knowledge },
      resourceLimits: { maxOldGenerationSizeMb: heapMib },
      ...(execArgv === undefined ? {} : { execArgv: [...execArgv] }),
    });
    const thread: Thread = { worker, ready: false };
    this.threads.add(thread);
    worker.unref();
    worker.on('message', (reply: DecisionReply) => {
      this.take(reply, thread);
    });
    worker.on('error', (error: unknown) => {
      this.end(thread, errnoOf(error) === 'ERR_WORKER_OUT_OF_MEMORY' ? tooCostly('needed too much memory') : error);
    });
    worker.on('exit', () => {
      this.end(thread, new Error('a thread for decisions ended by itself'));
    });
  }

  private take(reply: DecisionReply, thread: Thread): void {
    const { job } = thread;
    thread.ready = true;
    thread.job = undefined;
    if (job !== undefined)
      this.settle(job, () => {
        this.hand(reply, job);
      });
    this.next();
  }

  private hand(reply: DecisionReply, job: Job): void {
    if (reply.kind === 'answer') job.resolve(reply.answer);
    if (reply.kind === 'error') job.reject(Object.assign(new Error(reply.message), { stack: reply.stack }));
  }

  /** Ends a thread with the request it works on; one that could not even start takes a waiting request with it, which learns why. */
  private end(thread: Thread, error: unknown): void {
    if (!this.threads.delete(thread)) return;
    const job = thread.job ?? (thread.ready ? undefined : this.waiting.shift());
    if (job !== undefined)
      this.settle(job, () => {
        job.reject(error);
      });
    void thread.worker.terminate();
    this.next();
  }
}
