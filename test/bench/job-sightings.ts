import { KubeConfig, Watch, type V1Job } from '@kubernetes/client-node';
import { setTimeout as sleep } from 'node:timers/promises';

/** When each Job of a namespace was first seen by a watch of the administrator; milliseconds since 1970. */
export class JobSightings {
  private readonly seen = new Map<string, number>();
  private readonly following: Promise<void>;
  private cut: AbortController | undefined;
  private stopped = false;
  private readonly config = new KubeConfig();

  constructor(
    kubeconfig: string,
    private readonly namespace: string,
  ) {
    this.config.loadFromFile(kubeconfig);
    this.following = this.followAgainAndAgain();
  }

  at(job: string): number | undefined {
    return this.seen.get(job);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.cut?.abort();
    await this.following;
  }

  /** Without a version a watch begins with all that is there, so nothing is missed in between. */
  private async followAgainAndAgain(): Promise<void> {
    while (!this.stopped) {
      // What goes wrong with a watch is fixed by the next.
      await this.follow().catch(() => sleep(100));
    }
  }

  private follow(): Promise<void> {
    return new Promise((resolve, reject) => {
      const path = `/apis/batch/v1/namespaces/${this.namespace}/jobs`;
      const note = (_type: string, { metadata }: V1Job): void => {
        const name = metadata?.name ?? '';
        if (!this.seen.has(name)) this.seen.set(name, Date.now());
      };
      const done = (): void => resolve();
      new Watch(this.config).watch(path, {}, note, done).then((controller) => {
        this.cut = controller;
        if (this.stopped) controller.abort();
      }, reject);
    });
  }
}
