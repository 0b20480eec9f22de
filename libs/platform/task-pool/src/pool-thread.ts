import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { errnoOf } from '@fleet/contracts/faults';
import { TaskFailure } from './task-failure';
import type { PoolEvents, PoolMessage } from './pool-messages';
import type { PoolWorker, StartWorker } from './task-pool';

/**
 * The script of a thread; it calls `serveTasks`. For TypeScript sources the caller must name a loader in `execArgv`.
 */
export interface ThreadScript {
  readonly file: string;
  /** Arguments of Node.js for the thread; by default those of this process. */
  readonly execArgv?: readonly string[];
}

/** Limits of a thread. */
export interface ThreadLimits {
  /**
   * Time limit of one task in milliseconds, from when the thread has it. A thread that works, but has had a processor
   * for less than half of that time, gets the same time again, five times at most: the machine is too slow, not the
   * task.
   */
  readonly timeoutMs: number;
  /** MiB of the old generation heap. */
  readonly memoryMib: number;
  /** Time limit of the start in milliseconds; by default a minute. */
  readonly startMs?: number;
}

/** MiB of the young generation heap. */
const youngMib = 32;
const aMinuteMs = 60_000;

/** Maximum extensions of a task's time. */
const mostExtensions = 5;

/** A thread that does not report its working time within this many milliseconds must be waiting for a disk. */
const answerMs = 2_000;

const failureOf = (error: unknown): TaskFailure =>
  new TaskFailure(errnoOf(error) === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'ended', { cause: error });

/** One thread. It has one task at a time, and none after its end. */
export class PoolThread<Task, Answer> implements PoolWorker<Task> {
  private readonly worker: Worker;
  private isOver = false;
  /** Runs while the thread starts or works, and keeps the process alive meanwhile; the thread itself never does. */
  private timer: NodeJS.Timeout | undefined;
  /** Resolves when the thread is gone; one that waits for a disk ends when the disk responds. */
  readonly gone: Promise<void>;

  constructor(
    { file, execArgv }: ThreadScript,
    private readonly limits: ThreadLimits,
    private readonly events: PoolEvents<Answer>,
    workerData?: unknown,
  ) {
    this.worker = new Worker(file, {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: limits.memoryMib, maxYoungGenerationSizeMb: youngMib },
      ...(execArgv === undefined ? {} : { execArgv: [...execArgv] }),
    });
    this.worker.on('message', (message: PoolMessage<Answer>) => this.hear(message));
    this.worker.on('error', (error: unknown) => this.end(failureOf(error)));
    // After the listeners, because a message listener keeps the process alive again.
    this.worker.unref();
    this.gone = new Promise((done) => {
      this.worker.once('exit', () => {
        this.end(new TaskFailure('ended'));
        done();
      });
    });
    const startMs = limits.startMs ?? aMinuteMs;
    const late = new Error(`the thread was not ready within ${String(startMs / 1000)} s`);
    this.within(startMs, new TaskFailure('waited', { cause: late }));
  }

  give(task: Task): void {
    const before = this.workedMs();
    this.look(before, before, mostExtensions);
    this.worker.postMessage(task);
  }

  /** Terminates the thread during its task. */
  stop(): void {
    this.isOver = true;
    clearTimeout(this.timer);
    this.timer = undefined;
    void this.worker.terminate();
  }

  private hear(message: PoolMessage<Answer>): void {
    if (this.isOver) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    if (message.kind === 'ready') this.events.onReady();
    else this.events.onReply(message);
  }

  /** Milliseconds of processor time of the thread; undefined: it does not respond, or is gone. */
  private async workedMs(): Promise<number | undefined> {
    const answer = this.worker.cpuUsage().then(
      ({ user, system }) => (user + system) / 1000,
      // A thread that is gone has reported its end.
      () => undefined,
    );
    return Promise.race([answer, pause(answerMs, undefined, { ref: false })]);
  }

  /**
   * Checks the task when its time is over.
   * @param begun working time when the thread got the task, or at its first report
   * @param last working time at the last check
   */
  private look(begun: Promise<number | undefined>, last: Promise<number | undefined>, extensions: number): void {
    const { timeoutMs } = this.limits;
    const timer = setTimeout(() => {
      const now = this.workedMs();
      void Promise.all([begun, last, now]).then(([atBegin, before, worked]) => {
        // It has answered meanwhile, or was stopped.
        if (this.timer !== timer) return;
        if (worked === undefined) this.end(new TaskFailure('held'));
        else if (worked - (atBegin ?? worked) >= timeoutMs / 2) this.end(new TaskFailure('time'));
        else if (extensions > 0 && (before === undefined || worked - before >= timeoutMs / 100))
          this.look(atBegin === undefined ? now : begun, now, extensions - 1);
        else this.end(new TaskFailure('held'));
      });
    }, timeoutMs);
    this.timer = timer;
  }

  private within(milliseconds: number, failure: TaskFailure): void {
    this.timer = setTimeout(() => this.end(failure), milliseconds);
  }

  private end(failure: TaskFailure): void {
    if (this.isOver) return;
    this.stop();
    this.events.onEnd(failure);
  }
}

/**
 * Workers that are threads.
 * @param workerData passed to every thread as its `workerData`
 */
export const threadsOf =
  <Task, Answer>(script: ThreadScript, limits: ThreadLimits, workerData?: unknown): StartWorker<Task, Answer> =>
  (events) =>
    new PoolThread<Task, Answer>(script, limits, events, workerData);
