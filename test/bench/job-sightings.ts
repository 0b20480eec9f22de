import { KubeConfig, Watch, type V1Job } from '@kubernetes/client-node';

/** When each Job of a namespace was first seen by a watch of the administrator; milliseconds since 1970. */
export class JobSightings {
  private readonly seen = new Map<string, number>();
  private watching: Promise<AbortController>;
  private stopped = false;
  private readonly config = new KubeConfig();

  constructor(
    kubeconfig: string,
    private readonly namespace: string,
  ) {
    this.config.loadFromFile(kubeconfig);
    this.watching = this.follow();
  }

  at(job: string): number | undefined {
    return this.seen.get(job);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    (await this.watching).abort();
  }

  /** Without a version a watch begins with all that is there; a Job keeps the time at which it was seen first. */
  private follow(): Promise<AbortController> {
    return new Watch(this.config).watch(
      `/apis/batch/v1/namespaces/${this.namespace}/jobs`,
      {},
      (_type, { metadata }: V1Job) => {
        const name = metadata?.name ?? '';
        if (!this.seen.has(name)) this.seen.set(name, Date.now());
      },
      () => {
        if (!this.stopped) this.watching = this.follow();
      },
    );
  }
}
