import { TaskFailure, type FailureReason } from './task-failure';
import type { PoolEvents, PoolReply } from './pool-messages';

/** Runs the tasks of a pool, one at a time: a thread (`threadsOf`) or a process (`processesOf`). Idle after its end. */
export interface PoolWorker<Task> {
  readonly give: (task: Task) => void;
  /** Terminates it during its task. */
  readonly stop: () => void;
  /** Resolves when it is gone; one that waits for a disk ends when the disk responds. */
  readonly gone: Promise<void>;
}

/** Starts a worker, which reports its results. */
export type StartWorker<Task, Answer> = (events: PoolEvents<Answer>) => PoolWorker<Task>;

export interface TaskPoolOptions {
  /** Number of workers. */
  readonly workers: number;
  /** Maximum tasks that wait for a worker; further ones are rejected. */
  readonly maxWaiting: number;
  /** Time limit of the wait for a worker in milliseconds; by default unlimited. */
  readonly longestWaitMs?: number;
  /**
   * A stopped worker that is not gone after this time must be waiting for a disk, in milliseconds; by default two
   * seconds.
   */
  readonly leaveMs?: number;
}

interface Job<Task, Answer> {
  readonly task: Task;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (failure: TaskFailure) => void;
  /** Ends the wait for a worker. */
  timer?: NodeJS.Timeout;
}

const failed = ({ message, stack }: Extract<PoolReply<never>, { kind: 'error' }>): TaskFailure =>
  new TaskFailure('failed', { cause: Object.assign(new Error(message), { stack }) });

/**
 * Runs tasks in workers, so that none blocks its caller. Workers start on demand and are reused. A task that exceeds a
 * limit only costs its worker, which is replaced. Tasks run in the order of the calls. Idle workers do not keep the
 * process alive.
 */
export class TaskPool<Task, Answer> {
  private readonly starting = new Set<PoolWorker<Task>>();
  private readonly idle = new Set<PoolWorker<Task>>();
  private readonly working = new Map<PoolWorker<Task>, Job<Task, Answer>>();
  private readonly waiting: Job<Task, Answer>[] = [];
  /** Stopped workers that are not gone: they wait for a disk. */
  private stuck = 0;
  private closed = false;

  constructor(
    private readonly startWorker: StartWorker<Task, Answer>,
    private readonly options: TaskPoolOptions,
  ) {}

  /**
   * @param task must survive a structured clone
   * @throws TaskFailure with the reason
   */
  run(task: Task): Promise<Answer> {
    const refusal = this.refusal();
    if (refusal !== undefined) return Promise.reject(new TaskFailure(refusal));
    return new Promise((resolve, reject) => {
      const job: Job<Task, Answer> = { task, resolve, reject };
      this.waiting.push(job);
      this.limitWait(job);
      this.next();
    });
  }

  /** Ends all tasks and workers; only those that wait for a disk remain. */
  async close(): Promise<void> {
    this.closed = true;
    this.sendAway('closed');
    for (const { reject } of this.working.values()) reject(new TaskFailure('closed'));
    const workers = [...this.starting, ...this.idle, ...this.working.keys()];
    for (const worker of workers) this.forget(worker);
    for (const worker of workers) worker.stop();
    await this.allGone(workers);
  }

  private allGone(workers: readonly PoolWorker<Task>[]): Promise<void> {
    return new Promise((done) => {
      const timer = setTimeout(done, this.leaveMs);
      void Promise.all(workers.map(({ gone }) => gone)).then(() => {
        clearTimeout(timer);
        done();
      });
    });
  }

  private get leaveMs(): number {
    return this.options.leaveMs ?? 2_000;
  }

  /** A hanging disk may cost at most as many additional workers as there are. */
  private get isStuck(): boolean {
    return this.stuck >= this.options.workers;
  }

  private refusal(): FailureReason | undefined {
    if (this.closed) return 'closed';
    if (this.isStuck) return 'stuck';
    const { workers, maxWaiting } = this.options;
    return this.working.size + this.waiting.length >= workers + maxWaiting ? 'full' : undefined;
  }

  private limitWait(job: Job<Task, Answer>): void {
    const { longestWaitMs } = this.options;
    if (longestWaitMs === undefined) return;
    job.timer = setTimeout(() => {
      this.waiting.splice(this.waiting.indexOf(job), 1);
      job.reject(new TaskFailure('waited'));
    }, longestWaitMs);
  }

  private takeWaiting(): Job<Task, Answer> | undefined {
    const job = this.waiting.shift();
    clearTimeout(job?.timer);
    return job;
  }

  private sendAway(reason: FailureReason): void {
    for (let job = this.takeWaiting(); job !== undefined; job = this.takeWaiting()) job.reject(new TaskFailure(reason));
  }

  /** Passes waiting tasks to idle workers, and starts workers up to the limit. */
  private next(): void {
    for (const worker of this.idle) {
      const job = this.takeWaiting();
      if (job === undefined) return;
      this.idle.delete(worker);
      this.working.set(worker, job);
      worker.give(job.task);
    }
    while (this.waiting.length > this.starting.size && this.hasRoom) this.start();
  }

  private get hasRoom(): boolean {
    return this.starting.size + this.idle.size + this.working.size < this.options.workers;
  }

  private start(): void {
    const worker = this.startWorker({
      onReady: () => this.rest(worker),
      onReply: (reply: PoolReply<Answer>) => {
        const job = this.working.get(worker);
        if (reply.kind === 'answer') job?.resolve(reply.answer);
        else job?.reject(failed(reply));
        this.rest(worker);
      },
      onEnd: (failure: TaskFailure) => this.lose(worker, failure),
    });
    this.starting.add(worker);
  }

  private forget(worker: PoolWorker<Task>): void {
    this.starting.delete(worker);
    this.idle.delete(worker);
    this.working.delete(worker);
  }

  private rest(worker: PoolWorker<Task>): void {
    this.forget(worker);
    this.idle.add(worker);
    this.next();
  }

  /** A worker that ended fails its task; one that could not even start fails a waiting task, with the reason. */
  private lose(worker: PoolWorker<Task>, failure: TaskFailure): void {
    const job = this.starting.has(worker) ? this.takeWaiting() : this.working.get(worker);
    this.forget(worker);
    job?.reject(failure);
    this.watch(worker);
    this.next();
  }

  private watch(worker: PoolWorker<Task>): void {
    const timer = setTimeout(() => this.countAsStuck(worker), this.leaveMs);
    timer.unref();
    void worker.gone.then(() => clearTimeout(timer));
  }

  private countAsStuck(worker: PoolWorker<Task>): void {
    this.stuck += 1;
    if (this.isStuck) this.sendAway('stuck');
    void worker.gone.then(() => {
      this.stuck -= 1;
    });
  }
}
