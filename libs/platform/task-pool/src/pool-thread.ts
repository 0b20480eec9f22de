import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { errnoOf } from '@fleet/contracts/faults';
import { TaskFailure } from './task-failure';
import type { PoolEvents, PoolMessage } from './pool-messages';
import type { PoolWorker, StartWorker } from './task-pool';

/** The script that a thread runs; it calls `serveTasks`. From TypeScript sources the caller has to name a loader in `execArgv`. */
export interface ThreadScript {
  readonly file: string;
  /** Arguments of Node.js for the thread; by default those of this process. */
  readonly execArgv?: readonly string[];
}

/** What a thread may take. */
export interface ThreadLimits {
  /**
   * Milliseconds for one task, from the moment at which the thread has it. A thread that works on, but has had less than half of that time of
   * a processor, is given as much again, five times at most: the machine is to blame, not the task.
   */
  readonly timeoutMs: number;
  /** MiB for objects that live on. */
  readonly memoryMib: number;
  /** Milliseconds until a new thread can take tasks; by default a minute. */
  readonly startMs?: number;
}

/** Room for objects that die young, in MiB. */
const youngMib = 32;
const aMinuteMs = 60_000;

/** How often a task is given its time again. */
const mostExtensions = 5;

/** Milliseconds after which a thread that cannot even say how much it has worked must be waiting for a disk. */
const answerMs = 2_000;

const failureOf = (error: unknown): TaskFailure =>
  new TaskFailure(errnoOf(error) === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'ended', { cause: error });

/** One thread. It has one task at a time, and no more after its end. */
export class PoolThread<Task, Answer> implements PoolWorker<Task> {
  private readonly worker: Worker;
  private isOver = false;
  /** Runs while the thread starts or works, and keeps the process alive so long; the thread itself never does. */
  private timer: NodeJS.Timeout | undefined;
  /** Resolves when the thread is gone; one that waits for a disk goes when the disk answers. */
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
    this.worker.on('message', (message: PoolMessage<Answer>) => {
      this.hear(message);
    });
    this.worker.on('error', (error: unknown) => {
      this.end(failureOf(error));
    });
    // After the listeners: one for messages keeps the process alive again.
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

  /** Ends the thread in the middle of whatever it does. */
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

  /** Milliseconds of a processor that the thread has had; undefined: it does not answer, or is gone. */
  private async workedMs(): Promise<number | undefined> {
    const answer = this.worker.cpuUsage().then(
      ({ user, system }) => (user + system) / 1000,
      // A thread that is gone has told so by its end.
      () => undefined,
    );
    return Promise.race([answer, pause(answerMs, undefined, { ref: false })]);
  }

  /**
   * Looks after the task when its time is over.
   * @param begun what the thread had worked when it got the task; where it did not say, when it first did
   * @param last and when it was last looked at
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
    this.timer = setTimeout(() => {
      this.end(failure);
    }, milliseconds);
  }

  private end(failure: TaskFailure): void {
    if (this.isOver) return;
    this.stop();
    this.events.onEnd(failure);
  }
}

/**
 * Workers that are threads.
 * @param workerData what every thread finds as its `workerData`
 */
export const threadsOf =
  <Task, Answer>(script: ThreadScript, limits: ThreadLimits, workerData?: unknown): StartWorker<Task, Answer> =>
  (events) =>
    new PoolThread<Task, Answer>(script, limits, events, workerData);
