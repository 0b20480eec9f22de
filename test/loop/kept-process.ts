import { setTimeout as sleep } from 'node:timers/promises';
import type { TestProcess } from './idle-process';

/** Keeps a process alive: restarts it whenever it was killed. */
export class KeptProcess {
  private current: TestProcess;
  private stopped = false;
  private starts = 0;

  constructor(private readonly make: () => TestProcess) {
    this.current = this.start();
  }

  get ready(): Promise<void> {
    return this.current.ready;
  }

  /** Number of restarts. */
  get restarts(): number {
    return this.starts - 1;
  }

  get pid(): number | undefined {
    return this.current.child.pid;
  }

  /** Output of the current process. */
  get lines(): readonly string[] {
    return this.current.lines;
  }

  /** SIGKILL; false when it is not up again yet after the last one. */
  async kill(): Promise<boolean> {
    const ready = this.current.ready.then(
      () => true,
      () => false,
    );
    const up = await Promise.race([ready, sleep(50, false)]);
    return up && this.current.child.kill('SIGKILL');
  }

  /** SIGKILL as soon as it is up; resolves when it has ended. */
  async killWhenUp(): Promise<void> {
    let { ended } = this.current;
    while (!(await this.kill())) {
      await sleep(20);
      ({ ended } = this.current);
    }
    await ended;
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.current.child.kill('SIGKILL');
    await this.current.ended;
  }

  private start(): TestProcess {
    const started = this.make();
    this.starts += 1;
    void started.ended.then(() => {
      if (!this.stopped) this.current = this.start();
    });
    return started;
  }
}
