import { PoolThread, type ThreadLimits, type ThreadScript } from './pool-thread';
import { ThreadFailure, type FailureReason } from './thread-failure';
import type { ThreadReply } from './thread-messages';

export interface ThreadPoolOptions extends ThreadLimits {
  readonly script: ThreadScript;
  /** What every thread finds as its `workerData`. */
  readonly workerData?: unknown;
  /** Tasks at a time. */
  readonly threads: number;
  /** Tasks that wait for a thread beside them; who comes then is sent away. */
  readonly maxWaiting: number;
  /** Milliseconds that a task waits for a thread that can take it; by default as long as it takes. */
  readonly longestWaitMs?: number;
  /** Milliseconds after which a thread that was stopped and is not gone must be waiting for a disk; by default two seconds. */
  readonly leaveMs?: number;
}

interface Job<Task, Answer> {
  readonly task: Task;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (failure: ThreadFailure) => void;
  /** Ends the wait for a thread. */
  timer?: NodeJS.Timeout;
}

const failed = ({ message, stack }: Extract<ThreadReply<never>, { kind: 'error' }>): ThreadFailure =>
  new ThreadFailure('failed', { cause: Object.assign(new Error(message), { stack }) });

/**
 * Does tasks in threads, so that none holds up whoever asks. Threads start when they are needed, and are kept; a task that takes too long
 * or too much memory costs its thread, which is replaced, and nothing else. Tasks are taken in the order in which they were asked for.
 * Threads without a task keep no process alive.
 */
export class ThreadPool<Task, Answer> {
  private readonly starting = new Set<PoolThread<Task, Answer>>();
  private readonly idle = new Set<PoolThread<Task, Answer>>();
  private readonly working = new Map<PoolThread<Task, Answer>, Job<Task, Answer>>();
  private readonly waiting: Job<Task, Answer>[] = [];
  /** Threads that were stopped and are not gone: they wait for a disk. */
  private stuck = 0;
  private closed = false;

  constructor(private readonly options: ThreadPoolOptions) {}

  /**
   * @param task has to survive a structured clone
   * @throws ThreadFailure says why there is no answer
   */
  run(task: Task): Promise<Answer> {
    const refusal = this.refusal();
    if (refusal !== undefined) return Promise.reject(new ThreadFailure(refusal));
    return new Promise((resolve, reject) => {
      const job: Job<Task, Answer> = { task, resolve, reject };
      this.waiting.push(job);
      this.limitWait(job);
      this.next();
    });
  }

  /** Ends all tasks and threads; none is left, but for those that wait for a disk. */
  async close(): Promise<void> {
    this.closed = true;
    this.sendAway('closed');
    for (const { reject } of this.working.values()) reject(new ThreadFailure('closed'));
    const threads = [...this.starting, ...this.idle, ...this.working.keys()];
    for (const thread of threads) this.forget(thread);
    for (const thread of threads) thread.stop();
    await this.allGone(threads);
  }

  private allGone(threads: readonly PoolThread<Task, Answer>[]): Promise<void> {
    return new Promise((done) => {
      const timer = setTimeout(done, this.leaveMs);
      void Promise.all(threads.map(({ gone }) => gone)).then(() => {
        clearTimeout(timer);
        done();
      });
    });
  }

  private get leaveMs(): number {
    return this.options.leaveMs ?? 2_000;
  }

  /** A disk that does not answer may cost as many threads again as there are, not more. */
  private get isStuck(): boolean {
    return this.stuck >= this.options.threads;
  }

  private refusal(): FailureReason | undefined {
    if (this.closed) return 'closed';
    if (this.isStuck) return 'stuck';
    const { threads, maxWaiting } = this.options;
    return this.working.size + this.waiting.length >= threads + maxWaiting ? 'full' : undefined;
  }

  private limitWait(job: Job<Task, Answer>): void {
    const { longestWaitMs } = this.options;
    if (longestWaitMs === undefined) return;
    job.timer = setTimeout(() => {
      this.waiting.splice(this.waiting.indexOf(job), 1);
      job.reject(new ThreadFailure('waited'));
    }, longestWaitMs);
  }

  private takeWaiting(): Job<Task, Answer> | undefined {
    const job = this.waiting.shift();
    clearTimeout(job?.timer);
    return job;
  }

  private sendAway(reason: FailureReason): void {
    for (let job = this.takeWaiting(); job !== undefined; job = this.takeWaiting())
      job.reject(new ThreadFailure(reason));
  }

  /** Gives waiting tasks to idle threads, and starts threads where there is room for them. */
  private next(): void {
    for (const thread of this.idle) {
      const job = this.takeWaiting();
      if (job === undefined) return;
      this.idle.delete(thread);
      this.working.set(thread, job);
      thread.give(job.task);
    }
    while (this.waiting.length > this.starting.size && this.hasRoom) this.start();
  }

  private get hasRoom(): boolean {
    return this.starting.size + this.idle.size + this.working.size < this.options.threads;
  }

  private start(): void {
    const { script, workerData } = this.options;
    const events = {
      onReady: () => {
        this.rest(thread);
      },
      onReply: (reply: ThreadReply<Answer>) => {
        const job = this.working.get(thread);
        if (reply.kind === 'answer') job?.resolve(reply.answer);
        else job?.reject(failed(reply));
        this.rest(thread);
      },
      onEnd: (failure: ThreadFailure) => {
        this.lose(thread, failure);
      },
    };
    const thread = new PoolThread<Task, Answer>(script, this.options, events, workerData);
    this.starting.add(thread);
  }

  private forget(thread: PoolThread<Task, Answer>): void {
    this.starting.delete(thread);
    this.idle.delete(thread);
    this.working.delete(thread);
  }

  private rest(thread: PoolThread<Task, Answer>): void {
    this.forget(thread);
    this.idle.add(thread);
    this.next();
  }

  /** A thread that ended takes its task with it; one that could not even start takes a waiting task, which learns why. */
  private lose(thread: PoolThread<Task, Answer>, failure: ThreadFailure): void {
    const job = this.starting.has(thread) ? this.takeWaiting() : this.working.get(thread);
    this.forget(thread);
    job?.reject(failure);
    this.watch(thread);
    this.next();
  }

  private watch(thread: PoolThread<Task, Answer>): void {
    const timer = setTimeout(() => {
      this.countAsStuck(thread);
    }, this.leaveMs);
    timer.unref();
    void thread.gone.then(() => {
      clearTimeout(timer);
    });
  }

  private countAsStuck(thread: PoolThread<Task, Answer>): void {
    this.stuck += 1;
    if (this.isStuck) this.sendAway('stuck');
    void thread.gone.then(() => {
      this.stuck -= 1;
    });
  }
}
