import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { createInterface } from 'node:readline';
import { TaskFailure } from './task-failure';
import type { PoolEvents, PoolMessage } from './pool-messages';
import type { PoolWorker, StartWorker } from './task-pool';

/**
 * A program that reads one task per line (JSON) and writes one message per line, `PoolMessage`, the first of them
 * `ready`. It enforces its own limits: it ends by SIGPROF if a task exceeds its processor time, with exit code 71 if it
 * exceeds its memory.
 */
export interface ProcessCommand {
  readonly file: string;
  readonly args: readonly string[];
  /** Its whole environment; nothing is inherited from this process, whose variables may contain secrets. */
  readonly env: Readonly<Record<string, string>>;
}

/** Limits of a process. */
export interface ProcessLimits {
  /** Wall clock limit of one task in milliseconds: beyond it, the machine or the disk is too slow. */
  readonly timeoutMs: number;
  /** Time limit of the start in milliseconds; by default a minute. */
  readonly startMs?: number;
}

const aMinuteMs = 60_000;
const tooMuchMemory = 71;
/** Characters kept of a process's error output. */
const keptComplaints = 2_000;

/** One process. It has one task at a time, and none after its end. While idle it does not keep the parent alive. */
class PoolProcess<Task, Answer> implements PoolWorker<Task> {
  private readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  private isOver = false;
  private complaints = '';
  /** Runs while the process starts or works. */
  private timer: NodeJS.Timeout | undefined;
  readonly gone: Promise<void>;

  constructor(
    { file, args, env }: ProcessCommand,
    private readonly limits: ProcessLimits,
    private readonly events: PoolEvents<Answer>,
  ) {
    this.child = spawn(file, [...args], { env: { ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
    createInterface({ input: this.child.stdout }).on('line', (line) => this.hear(line));
    this.child.stderr.on('data', (text: Buffer) => {
      this.complaints = (this.complaints + text.toString('utf8')).slice(-keptComplaints);
    });
    // Unread input at its end is reported by the end itself.
    this.child.stdin.on('error', () => undefined);
    this.gone = new Promise((done) => {
      this.child.once('error', (error) => {
        this.end(new TaskFailure('ended', { cause: error }));
        done();
      });
      this.child.once('close', (code, signal) => {
        this.end(this.failureOf(code, signal));
        done();
      });
    });
    this.hold(true);
    const startMs = limits.startMs ?? aMinuteMs;
    this.within(startMs, 'waited', `the process was not ready within ${String(startMs / 1000)} s`);
  }

  give(task: Task): void {
    this.hold(true);
    this.within(this.limits.timeoutMs, 'held', 'the process did not answer in time');
    this.child.stdin.write(`${JSON.stringify(task)}\n`);
  }

  stop(): void {
    this.isOver = true;
    clearTimeout(this.timer);
    this.child.kill('SIGKILL');
    this.hold(false);
  }

  private hear(line: string): void {
    if (this.isOver) return;
    clearTimeout(this.timer);
    this.hold(false);
    const message = this.read(line);
    if (message === undefined) return;
    if (message.kind === 'ready') this.events.onReady();
    else this.events.onReply(message);
  }

  /** An invalid message ends the process, because its state is unknown. */
  private read(line: string): PoolMessage<Answer> | undefined {
    try {
      return JSON.parse(line) as PoolMessage<Answer>;
    } catch (cause) {
      this.end(new TaskFailure('ended', { cause }));
      return undefined;
    }
  }

  private failureOf(code: number | null, signal: NodeJS.Signals | null): TaskFailure {
    if (signal === 'SIGPROF') return new TaskFailure('time');
    if (code === tooMuchMemory) return new TaskFailure('memory');
    const how = signal === null ? `exit code ${String(code)}` : `signal ${signal}`;
    return new TaskFailure('ended', { cause: new Error(`${how}: ${this.complaints.trim()}`) });
  }

  /** Whether the process keeps the parent alive. */
  private hold(isHeld: boolean): void {
    // A child's pipes are sockets (child_process), whatever their types say.
    const pipes = [this.child.stdout, this.child.stderr, this.child.stdin] as unknown as readonly Socket[];
    for (const part of [this.child, ...pipes]) {
      if (isHeld) part.ref();
      else part.unref();
    }
  }

  private within(milliseconds: number, reason: 'waited' | 'held', why: string): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.end(new TaskFailure(reason, { cause: new Error(why) })), milliseconds);
  }

  private end(failure: TaskFailure): void {
    if (this.isOver) return;
    this.stop();
    this.events.onEnd(failure);
  }
}

/** Workers that are processes. */
export const processesOf =
  <Task, Answer>(command: ProcessCommand, limits: ProcessLimits): StartWorker<Task, Answer> =>
  (events) =>
    new PoolProcess<Task, Answer>(command, limits, events);
