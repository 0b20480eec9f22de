import { execFile } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const scripts = resolve(__dirname, '../../scripts');
const output = { maxBuffer: 64 * 1024 * 1024 };

/** Group of everything that the fleet shares, as in the chart's defaults. */
export const fleetGid = 10_000;

/** One command of the cluster's own tool: parts, fake nodes, images. */
export const cluster = async (...args: readonly string[]): Promise<string> => {
  const env = { ...process.env, KUBECONFIG: undefined, NODE_OPTIONS: '' };
  return (await run(process.execPath, [join(scripts, 'cluster.mjs'), ...args], { ...output, env })).stdout;
};

/** Builds images of the project where they have changed, and puts them onto the node; under one more tag where one is given. */
export const loadImages = async (names: readonly string[], tag?: string): Promise<void> => {
  const env = { ...process.env, NODE_OPTIONS: '' };
  const line = ['load', '--only', names.join(','), ...(tag === undefined ? [] : ['--tag', tag])];
  await run(process.execPath, [join(scripts, 'images.mjs'), ...line], { ...output, env });
};

/** A Kubernetes object as kubectl prints it; tests look at what they need. */
export interface SeenObject {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly deletionTimestamp?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly spec: {
    readonly nodeName?: string;
    readonly automountServiceAccountToken?: boolean;
    readonly securityContext?: { readonly runAsUser?: number };
    /** Of a Workload of Kueue. */
    readonly priority?: number;
  };
  readonly status?: { readonly phase?: string; readonly reason?: string };
}

/**
 * A namespace of its own on the cluster of KUBECONFIG, with Pod Security "restricted" enforced, and two folders of this
 * machine that its pods have as claims under the same paths: `work`, which the fleet's group may write, and `data`.
 */
export class ClusterGround {
  private constructor(
    readonly namespace: string,
    /** Absolute. */
    readonly folder: string,
    readonly kubeconfig: string,
  ) {}

  /** @throws Error when KUBECONFIG is not set */
  static async start(prefix: string): Promise<ClusterGround> {
    const kubeconfig = process.env.KUBECONFIG ?? '';
    if (kubeconfig === '') throw new Error('KUBECONFIG is not set');
    const folder = realpathSync(mkdtempSync(join(tmpdir(), `fleet-${prefix}-`)));
    const namespace = `${prefix}-${String(process.pid)}-${String(Date.now() % 100_000)}`;
    const ground = new ClusterGround(namespace, folder, kubeconfig);
    for (const name of ['work', 'data']) {
      mkdirSync(join(folder, name));
      chownSync(join(folder, name), 0, fleetGid);
      chmodSync(join(folder, name), name === 'work' ? 0o2770 : 0o755);
    }
    chmodSync(folder, 0o755);
    await ground.apply([ground.namespaceObject(), ...ground.volumeObjects()]);
    return ground;
  }

  get work(): string {
    return join(this.folder, 'work');
  }

  get data(): string {
    return join(this.folder, 'data');
  }

  /** kubectl in this namespace. */
  async kubectl(...args: readonly string[]): Promise<string> {
    const line = [`--kubeconfig=${this.kubeconfig}`, `--namespace=${this.namespace}`, ...args];
    return (await run('kubectl', line, output)).stdout;
  }

  async get(kind: string, ...args: readonly string[]): Promise<readonly SeenObject[]> {
    const text = await this.kubectl('get', kind, '--output=json', ...args);
    return (JSON.parse(text) as { items: readonly SeenObject[] }).items;
  }

  podsOf(job: string): Promise<readonly SeenObject[]> {
    return this.get('pods', `--selector=batch.kubernetes.io/job-name=${job}`);
  }

  /** The one pod of a Job. */
  async podOf(job: string): Promise<SeenObject> {
    const [pod] = await this.podsOf(job);
    if (pod === undefined) throw new Error(`${job} has no pod\n${await this.report()}`);
    return pod;
  }

  /** Asks the API server to evict a pod, as a drain does. */
  async evict(pod: string): Promise<void> {
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: pod, namespace: this.namespace } };
    const path = `/api/v1/namespaces/${this.namespace}/pods/${pod}/eviction`;
    await this.withInput(['create', `--raw=${path}`, '--filename=-'], JSON.stringify(eviction));
  }

  /** What the API server would say to a new object here. @throws Error when it refuses */
  dryRun(object: object): Promise<string> {
    return this.withInput(
      ['create', `--namespace=${this.namespace}`, '--dry-run=server', '--filename=-'],
      JSON.stringify(object),
    );
  }

  /** Waits for something; says what the namespace looks like when it does not come. */
  async until<T>(what: string, look: () => Promise<T | undefined>, timeoutMs = 180_000): Promise<T> {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const seen = await look();
      if (seen !== undefined) return seen;
      if (Date.now() > deadline)
        throw new Error(`not seen within ${String(timeoutMs)} ms: ${what}\n${await this.report()}`);
      await sleep(200);
    }
  }

  /** What an administrator would look at first. */
  async report(): Promise<string> {
    const looks = [
      ['get', 'jobs,pods', '--output=wide'],
      ['get', 'events', '--sort-by=.lastTimestamp'],
    ];
    const texts = await Promise.all(looks.map((args) => this.kubectl(...args).catch(String)));
    return texts.map((text) => text.split('\n').slice(-30).join('\n')).join('\n');
  }

  /** @param wait false where thousands of Jobs are left: the cluster takes minutes to delete them */
  async end(wait = true): Promise<void> {
    const patience = wait ? '--timeout=90s' : '--wait=false';
    await this.kubectl('delete', 'namespace', this.namespace, patience);
    await this.kubectl('delete', 'persistentvolume', '--selector', `ground=${this.namespace}`, patience);
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Makes objects, or brings them up to date. */
  async apply(objects: readonly object[]): Promise<void> {
    await this.withInput(['apply', '--filename=-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
  }

  private async withInput(args: readonly string[], input: string): Promise<string> {
    const started = run('kubectl', [`--kubeconfig=${this.kubeconfig}`, ...args], output);
    started.child.stdin?.end(input);
    return (await started).stdout;
  }

  private namespaceObject(): object {
    const level = (mode: string): [string, string] => [`pod-security.kubernetes.io/${mode}`, 'restricted'];
    const labels = Object.fromEntries(['enforce', 'warn'].map(level));
    return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: this.namespace, labels } };
  }

  private volumeObjects(): readonly object[] {
    return ['work', 'data'].flatMap((name) => {
      const volumeName = `${this.namespace}-${name}`;
      const common = { storageClassName: '', accessModes: ['ReadWriteMany'] };
      return [
        {
          apiVersion: 'v1',
          kind: 'PersistentVolume',
          metadata: { name: volumeName, labels: { ground: this.namespace } },
          spec: {
            ...common,
            capacity: { storage: '1Gi' },
            persistentVolumeReclaimPolicy: 'Retain',
            claimRef: { namespace: this.namespace, name },
            hostPath: { path: join(this.folder, name), type: 'Directory' },
          },
        },
        {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          metadata: { name, namespace: this.namespace },
          spec: { ...common, volumeName, resources: { requests: { storage: '1Gi' } } },
        },
      ];
    });
  }
}
