import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { isEnded, type Session } from '@fleet/contracts';
import { ClusterGround, fleetGid } from '../cluster-e2e/cluster-ground';
import type { Source } from './flows';

const run = promisify(execFile);
const checkout = resolve(__dirname, '../..');
const chart = join(checkout, 'helm/phenix-fleet');
const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as { version: string };
const image = `localhost/phenix-fleet/service:${version}`;
const release = 'net';
/** Where every pod that is made here listens. */
const port = 9000;

interface Listed {
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  readonly spec: {
    readonly clusterIP?: string;
    readonly template?: { readonly metadata: { readonly labels: Readonly<Record<string, string>> } };
  };
  readonly status?: {
    readonly podIP?: string;
    readonly addresses?: readonly { readonly type: string; readonly address: string }[];
  };
}

/** Labels by which a Job knows its pods: a pod with these would be taken for one of them. */
const ofController = /(^|\/)(controller-uid|job-name)$/;

/**
 * The fleet, installed with the chart's policies on, and pods beside it: a `neighbour` in the release's namespace, a `friend` in
 * one that may reach the gateway, and a `stranger`.
 */
export class InstalledFleet {
  readonly jobsNamespace: string;
  readonly friend: Source;
  readonly stranger: Source;
  readonly neighbour: Source;

  private constructor(readonly ground: ClusterGround) {
    const { namespace } = ground;
    this.jobsNamespace = `${namespace}-jobs`;
    this.neighbour = { namespace, pod: 'neighbour' };
    this.friend = { namespace: `${namespace}-friend`, pod: 'friend' };
    this.stranger = { namespace: `${namespace}-stranger`, pod: 'stranger' };
  }

  static async prepare(): Promise<InstalledFleet> {
    return new InstalledFleet(await ClusterGround.start('policies'));
  }

  async install(): Promise<void> {
    const others = [this.friend, this.stranger];
    await this.ground.apply(
      others.map(({ namespace }) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })),
    );
    await this.ground.apply([...others, this.neighbour].map((source) => aPod(source)));
    await this.helm('install', ...this.values(), '--wait', '--timeout', '180s');
  }

  /** Drained and opened again by the chart's hooks; gives their words. */
  upgrade(): Promise<string> {
    const drain = ['--set', 'upgrade.drain.enabled=true'];
    return this.helm('upgrade', ...this.values(), ...drain, '--wait', '--timeout', '180s');
  }

  test(): Promise<string> {
    return this.helmLine(['test', release, '--logs']);
  }

  /** One program over real data, submitted and followed by `phx` in the friend's pod, through the Service. */
  async session(): Promise<Session> {
    const layOut = `import { layOut } from '${join(checkout, 'scripts/setup/demo-data.mjs')}';
      await layOut('nutlin', '${join(this.ground.data, 'nutlin')}');`;
    await run(process.execPath, ['--input-type=module', '--eval', layOut], { env: withoutOptions() });
    const files = ['data.mtz', 'model.pdb'].map((name) => `/fleet/data/nutlin/${name}`);
    const { id } = JSON.parse(await this.phx('submit', '--set', 'max_cycles=1', ...files)) as Session;
    return this.ground.until(
      `the end of session ${id}`,
      async () => {
        const session = JSON.parse(await this.phx('show', id)) as Session;
        return isEnded(session.status) ? session : undefined;
      },
      120_000,
    );
  }

  /** A pod with the labels that this session's program had, in the namespace of the programs. */
  async programLike(session: string): Promise<Source> {
    const [job] = await this.list('jobs', this.jobsNamespace, `--selector=phenix-fleet.io/session=${session}`);
    const labels = job?.spec.template?.metadata.labels;
    if (labels === undefined) throw new Error(`session ${session} has no Job\n${await this.ground.report()}`);
    const source = { namespace: this.jobsNamespace, pod: 'like-a-program' };
    const own = Object.entries(labels).filter(([key]) => !ofController.test(key));
    await this.ground.apply([aPod(source, Object.fromEntries(own))]);
    await this.untilReady(source);
    return source;
  }

  async untilReady(...sources: readonly Source[]): Promise<void> {
    for (const { namespace, pod } of sources)
      await this.ground.kubectl(
        'wait',
        `--namespace=${namespace}`,
        '--for=condition=Ready',
        `pod/${pod}`,
        '--timeout=60s',
      );
  }

  /** A running pod of a service. */
  async podOf(component: string): Promise<Source> {
    const { namespace } = this.ground;
    const [pod] = await this.list('pods', namespace, `--selector=app.kubernetes.io/component=${component}`);
    if (pod === undefined) throw new Error(`there is no ${component}\n${await this.ground.report()}`);
    return { namespace, pod: pod.metadata.name };
  }

  async serviceAt(name: string, portOfService: number, namespace = this.ground.namespace): Promise<string> {
    const [service] = await this.list('services', namespace, `--field-selector=metadata.name=${name}`);
    return `${service?.spec.clusterIP ?? name}:${String(portOfService)}`;
  }

  readonly gatewayService = `${release}-phenix-fleet-gateway`;
  readonly redisService = `${release}-phenix-fleet-redis`;

  async addressOf({ namespace, pod }: Source, listensAt = port): Promise<string> {
    const [found] = await this.list('pods', namespace, `--field-selector=metadata.name=${pod}`);
    return `${found?.status?.podIP ?? pod}:${String(listensAt)}`;
  }

  async nodeAt(listensAt: number): Promise<string> {
    const [node] = await this.list('nodes', this.ground.namespace);
    const address = node?.status?.addresses?.find(({ type }) => type === 'InternalIP')?.address;
    return `${address ?? 'node'}:${String(listensAt)}`;
  }

  async end(): Promise<void> {
    // The services first: without their Redis they would take all of their grace to end.
    await this.ground.kubectl('delete', 'deployments', '--all', '--cascade=foreground', '--timeout=90s');
    await this.helmLine(['uninstall', release, '--ignore-not-found']);
    const others = [this.friend, this.stranger].map(({ namespace }) => namespace);
    await this.ground.kubectl('delete', 'namespaces', ...others, '--ignore-not-found', '--wait=false');
    await this.ground.end();
  }

  private async phx(command: string, ...args: readonly string[]): Promise<string> {
    const server = `http://${this.gatewayService}.${this.ground.namespace}`;
    const line = ['node', '/app/start.js', 'phx', '--server', server, '--json', command, ...args];
    const { namespace, pod } = this.friend;
    return this.ground.kubectl('exec', `--namespace=${namespace}`, pod, '--', ...line);
  }

  private values(): readonly string[] {
    const friend = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': this.friend.namespace } } };
    const data = { name: 'data', mountPath: '/fleet/data', source: { hostPath: { path: this.ground.data } } };
    const set = {
      'storage.data': [data],
      'storage.work.source.hostPath.path': this.ground.work,
      'networkPolicy.gateway.from': [friend],
      'services.executorWorker.replicas': 1,
      'identity.fleetGid': fleetGid,
    };
    return [
      ...['--values', join(chart, 'examples/dev-cluster.yaml')],
      ...Object.entries(set).flatMap(([key, value]) => ['--set-json', `${key}=${JSON.stringify(value)}`]),
    ];
  }

  private helm(command: string, ...args: readonly string[]): Promise<string> {
    return this.helmLine([command, release, chart, ...args]);
  }

  /** What helm printed; its hooks' words are on standard error. */
  private async helmLine(line: readonly string[]): Promise<string> {
    const { namespace, kubeconfig } = this.ground;
    const where = ['--namespace', namespace, '--kubeconfig', kubeconfig];
    try {
      const { stdout, stderr } = await run('helm', [...line, ...where], { maxBuffer: 64 * 1024 * 1024 });
      return `${stdout}\n${stderr}`;
    } catch (error) {
      throw new Error(`${String(error)}\n${await this.ground.report()}`, { cause: error });
    }
  }

  private async list(kind: string, namespace: string, ...args: readonly string[]): Promise<readonly Listed[]> {
    const text = await this.ground.kubectl('get', kind, `--namespace=${namespace}`, '--output=json', ...args);
    return (JSON.parse(text) as { items: readonly Listed[] }).items;
  }
}

const withoutOptions = (): NodeJS.ProcessEnv => ({ ...process.env, NODE_OPTIONS: '' });

/** It listens and does nothing else; Pod Security "restricted" admits it. */
const aPod = ({ namespace, pod }: Source, labels: Readonly<Record<string, string>> = {}): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: pod, namespace, labels },
  spec: {
    automountServiceAccountToken: false,
    terminationGracePeriodSeconds: 0,
    securityContext: { runAsNonRoot: true, runAsUser: 10_003, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [
      {
        name: 'listens',
        image,
        imagePullPolicy: 'IfNotPresent',
        command: [
          'node',
          '--eval',
          `require('node:net').createServer((socket) => socket.end()).listen(${String(port)})`,
        ],
        readinessProbe: { tcpSocket: { port }, periodSeconds: 1 },
        securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
      },
    ],
  },
});
