import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { InstalledRelease } from './installed-release';

/** What workers say where a step is not done at the first go (libs/adapters/queue/src/job-log.ts, draining-worker.host.ts). */
export const sayings = {
  lostWorker: 'step lost its worker; retrying',
  triedAgain: 'step failed; retrying',
  givenUp: 'step failed',
  notDrained: 'steps did not end in time and return to their queue',
} as const;

export type Saying = keyof typeof sayings;

/** The saying that a line of a log is. */
export const sayingOf = (line: string): Saying | undefined => {
  const found = Object.entries(sayings).find(([, words]) => line.includes(`"${words}"`));
  return found?.[0] as Saying | undefined;
};

/** Reads along what the pods of all services write, from their start to their end. */
export class WorkerWords {
  /** Names of all pods that there were. */
  readonly pods = new Set<string>();
  private readonly followed: ChildProcess[] = [];
  private lines: string[] = [];
  private readonly loop: Promise<void>;
  private stopped = false;

  constructor(private readonly fleet: InstalledRelease) {
    this.loop = this.run();
  }

  /** Lines with such a saying since the last call. */
  take(): readonly string[] {
    const { lines } = this;
    this.lines = [];
    return lines;
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.loop;
    for (const child of this.followed) child.kill();
  }

  private isStopped(): boolean {
    return this.stopped;
  }

  private async run(): Promise<void> {
    while (!this.isStopped()) {
      for (const { metadata, status } of await this.fleet.services())
        if (status?.phase === 'Running' && !this.pods.has(metadata?.name ?? '')) this.follow(metadata?.name ?? '');
      await sleep(1_000);
    }
  }

  private follow(pod: string): void {
    this.pods.add(pod);
    const child = this.fleet.logOf(pod);
    this.followed.push(child);
    if (child.stdout === null) throw new Error(`the log of ${pod} cannot be read`);
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (sayingOf(line) !== undefined) this.lines.push(`${pod}: ${line}`);
    });
  }
}
