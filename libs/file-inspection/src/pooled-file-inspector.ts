import { Fault, type SessionFile } from '@fleet/contracts';
import type { FileInspector } from '@fleet/ports';
import { shownCount } from './bounds';
import type { InspectionTask } from './inspection-messages';
import { InspectionThread, ownScript, type ThreadLimits, type ThreadScript } from './inspection-thread';

export interface PoolLimits extends ThreadLimits {
  readonly threads: number;
  /** Files that wait for a thread; who comes then is sent away. */
  readonly mostWaiting: number;
}

interface Waiting {
  readonly task: InspectionTask;
  readonly resolve: (file: Promise<SessionFile>) => void;
  readonly reject: (fault: Fault) => void;
}

const busy = (why: string): Fault =>
  new Fault('inspection.busy', 'transient', `No file can be looked into now: ${why}. Try again in some seconds.`);

/** A thread that was stopped is gone within this time, unless it waits for a disk. Milliseconds. */
const leaveMs = 2_000;
const stuckDisk = 'the disk does not answer';

/**
 * Looks into files in threads of its own, so that no file holds up whoever asks: a file that takes too long or too much memory costs
 * its thread, which is replaced, and nothing else. Files are taken in the order in which they were asked for; who asks for many at a
 * time is to keep to a few at once, so that those of others come in between.
 */
export class PooledFileInspector implements FileInspector {
  private readonly idle: InspectionThread[] = [];
  private readonly waiting: Waiting[] = [];
  private readonly working = new Set<InspectionThread>();
  /** Threads that were stopped and are not gone: they wait for a disk. */
  private stuck = 0;
  private closed = false;

  /** Threads are started when they are needed, and kept. */
  constructor(
    private readonly limits: PoolLimits,
    private readonly script: ThreadScript = ownScript,
  ) {}

  /**
   * @throws Fault as `FileInspector`, `file.inspection_timeout`, `file.inspection_failed`, or `inspection.busy` (transient) when too many
   * files wait
   */
  inspect(path: string, origin: InspectionTask['origin'], root?: string): Promise<SessionFile> {
    const task: InspectionTask = { path, origin, ...(root !== undefined && { root }) };
    if (this.closed) return Promise.reject(busy('the service is ending'));
    if (this.isStuck) return Promise.reject(busy(stuckDisk));
    if (this.hasRoom) return this.start(task);
    if (this.waiting.length >= this.limits.mostWaiting) {
      return Promise.reject(busy(`${shownCount(this.waiting.length)} files are waiting`));
    }
    return new Promise((resolve, reject) => this.waiting.push({ task, resolve, reject }));
  }

  /** Nest calls it when the service ends: nothing is left behind that could keep the process. */
  async onApplicationShutdown(): Promise<void> {
    this.closed = true;
    this.sendAway('the service is ending');
    const threads = [...this.idle.splice(0), ...this.working];
    for (const thread of threads) thread.stop();
    await Promise.all(threads.map(({ gone }) => gone));
  }

  private get hasRoom(): boolean {
    return this.working.size < this.limits.threads && !this.isStuck;
  }

  /** A disk that does not answer may cost as many threads again as there are, not more. */
  private get isStuck(): boolean {
    return this.stuck >= this.limits.threads;
  }

  private sendAway(why: string): void {
    for (const { reject } of this.waiting.splice(0)) reject(busy(why));
  }

  private async start(task: InspectionTask): Promise<SessionFile> {
    const thread = this.idleThread() ?? new InspectionThread(this.script, this.limits);
    this.working.add(thread);
    try {
      return await thread.inspect(task);
    } catch (error) {
      // A thread that was ended with the service says nothing about its file.
      throw this.closed ? busy('the service is ending') : error;
    } finally {
      this.working.delete(thread);
      this.putBack(thread);
      this.next();
    }
  }

  private idleThread(): InspectionThread | undefined {
    for (let thread = this.idle.pop(); thread !== undefined; thread = this.idle.pop()) if (!thread.over) return thread;
    return undefined;
  }

  private putBack(thread: InspectionThread): void {
    if (!thread.over && !this.closed) {
      this.idle.push(thread);
      return;
    }
    thread.stop();
    const timer = setTimeout(() => {
      this.countAsStuck(thread);
    }, leaveMs);
    timer.unref();
    void thread.gone.then(() => {
      clearTimeout(timer);
    });
  }

  private countAsStuck(thread: InspectionThread): void {
    this.stuck += 1;
    if (this.isStuck) this.sendAway(stuckDisk);
    void thread.gone.then(() => {
      this.stuck -= 1;
      this.next();
    });
  }

  private next(): void {
    while (this.hasRoom) {
      const waiting = this.waiting.shift();
      if (waiting === undefined) return;
      waiting.resolve(this.start(waiting.task));
    }
  }
}
