import { stat, statfs } from 'node:fs/promises';
import type { HealthProbe, HealthReport } from '@fleet/ports';

/** Milliseconds; Kubernetes waits 4 s for a response. */
const timeoutMs = 2_000;

const reasonOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);

/** Queries the file server itself: this machine may cache what it knows about a folder. */
const look = async (folder: string): Promise<void> => {
  if (!(await stat(folder)).isDirectory()) throw new Error(`${folder} is not a folder`);
  await statfs(folder);
};

const afterMs = (ms: number): { readonly over: Promise<'late'>; stop(): void } => {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), ms);
  });
  return {
    over,
    stop: () => clearTimeout(timer),
  };
};

/**
 * Whether the work root responds. With an unreachable file server a check waits for ever, and each one blocks one of
 * the few threads of this process. Therefore there is one check at a time, and a call meanwhile reports how long it has
 * waited.
 */
export class WorkRootProbe implements HealthProbe {
  readonly name = 'workRoot';
  private inProgress: { readonly since: number; readonly found: Promise<HealthReport> } | undefined;

  constructor(
    private readonly workRoot: string,
    private readonly lookAt: (folder: string) => Promise<void> = look,
    private readonly limitMs = timeoutMs,
  ) {}

  async check(): Promise<HealthReport> {
    this.inProgress ??= { since: performance.now(), found: this.look() };
    const { since, found } = this.inProgress;
    const wait = afterMs(this.limitMs);
    const first = await Promise.race([found, wait.over]);
    wait.stop();
    if (first !== 'late') return first;
    const seconds = Math.round((performance.now() - since) / 1000);
    return { healthy: false, detail: { reason: `no answer for ${seconds} s`, seconds } };
  }

  private async look(): Promise<HealthReport> {
    const start = performance.now();
    try {
      await this.lookAt(this.workRoot);
      return { healthy: true, detail: { answeredMs: Math.round(performance.now() - start) } };
    } catch (error) {
      return { healthy: false, detail: { reason: reasonOf(error) } };
    } finally {
      this.inProgress = undefined;
    }
  }
}
