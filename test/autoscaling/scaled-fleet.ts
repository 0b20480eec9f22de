import { AppsV1Api, KubeConfig } from '@kubernetes/client-node';
import { Queues, workersOfQueues, type QueueName } from '@fleet/contracts/queues';
import { freePort, startRedis } from '@fleet/testing';
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { find, kubectl, render, type Rendered } from '../chart/chart-command';
import { ChaosNodes } from '../cluster-chaos/chaos-nodes';
import { cluster } from '../cluster-e2e/cluster-ground';
import { startIdleProcess, startScript } from '../loop/idle-process';
import type { IdleWork } from '../loop/idle-stages';
import { eventually, loopOver, type Loop } from '../loop/loop-harness';
import { WorkerPods } from './worker-pods';

/** The address of the node inside the cluster's network, and the port on which a gateway tells its metrics. */
const nodeAddress = '10.243.0.1';
const metricsPort = 8081;

export interface ScaledFleetOptions {
  readonly maxReplicas: number;
  /** Seconds of lower load before pods are taken away. */
  readonly scaleDownSeconds: number;
  /** Steps at once of each worker. */
  readonly concurrency: number;
  /** What a step is, by queue. */
  readonly work: Readonly<Record<ScaledQueue, IdleWork>>;
}

/** What a scaled fleet stands on. */
interface Ground {
  readonly namespace: string;
  readonly folder: string;
  readonly loop: Loop;
  readonly config: KubeConfig;
  readonly nodes: ChaosNodes;
  /** Gateway, executor, and the doorway between KEDA and the gateway. */
  readonly others: readonly ChildProcess[];
  /** All of the chart. */
  readonly objects: readonly Rendered[];
}

/** The workers that are scaled, by their queue. */
export const scaledQueues = [Queues.decisions, Queues.analyses] as const;
type ScaledQueue = (typeof scaledQueues)[number];

const queueOf = (component: string): ScaledQueue => {
  const found = scaledQueues.find((queue) => workersOfQueues[queue] === component);
  if (found === undefined) throw new Error(`no queue that is scaled is worked on by ${component}`);
  return found;
};

/**
 * Decision and analysis workers as Deployments of the chart on kwok's nodes, scaled by the chart's ScaledObjects, which KEDA serves out of
 * the metrics of a real gateway. The workers are real processes over a real PostgreSQL and Redis; what they do in a step is to wait (SIMULATED).
 */
export class ScaledFleet {
  readonly apps: AppsV1Api;
  readonly pods: WorkerPods;
  /** Names of the Deployments, by queue. */
  readonly deployments: Readonly<Record<ScaledQueue, string>>;

  private constructor(
    readonly ground: Ground,
    { concurrency, work }: ScaledFleetOptions,
  ) {
    const { namespace, loop, config, objects } = ground;
    this.apps = config.makeApiClient(AppsV1Api);
    const nameOf = (queue: QueueName): string => find(objects, 'Deployment', workersOfQueues[queue]).metadata.name;
    this.deployments = { decisions: nameOf(Queues.decisions), analyses: nameOf(Queues.analyses) };
    const env = environmentOf(loop, concurrency);
    this.pods = new WorkerPods(config, namespace, (component) => {
      const queue = queueOf(component);
      return startIdleProcess(queue, work[queue], env);
    });
  }

  /** @param kubeconfig the administrator's, of the cluster that `scripts/cluster.mjs` made */
  static async start(kubeconfig: string, options: ScaledFleetOptions): Promise<ScaledFleet> {
    await cluster('start', 'kwok', 'keda');
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fleet-scaling-')));
    const namespace = `scaling-${String(process.pid)}-${String(Date.now() % 100_000)}`;
    const config = new KubeConfig();
    config.loadFromFile(kubeconfig);
    kubectl(['create', 'namespace', namespace]);
    const nodes = new ChaosNodes(config, namespace, 2);
    await nodes.make();
    const loop = await loopOver(await startRedis());
    const healthPort = await freePort();
    const others = await Promise.all([
      startGateway(folder, loop, healthPort),
      startExecutor(loop),
      openDoorway(healthPort),
    ]);
    const objects = render('minimal', valuesOf(nodes, options), namespace);
    const fleet = new ScaledFleet({ namespace, folder, loop, config, nodes, others, objects }, options);
    await nodes.untilReady();
    apply(namespace, [...workersOf(objects), ...gatewayOf(objects)]);
    return fleet;
  }

  /** Gives both Deployments so many replicas, and waits until their processes take jobs. */
  async fix(replicas: number): Promise<void> {
    for (const queue of scaledQueues) {
      kubectl(['scale', ...this.here, `deployment/${this.deployments[queue]}`, `--replicas=${String(replicas)}`]);
      await this.pods.untilReady(workersOfQueues[queue], replicas);
    }
  }

  /** Hands the Deployments to KEDA, and waits until it has the figures. */
  async handOver(): Promise<void> {
    const { namespace, objects } = this.ground;
    apply(
      namespace,
      objects.filter(({ kind }) => kind === 'ScaledObject'),
    );
    kubectl(['wait', ...this.here, 'scaledobject', '--all', '--for=condition=Ready', '--timeout=120s']);
    await eventually(
      () =>
        Promise.resolve(kubectl(['get', ...this.here, 'hpa', '--output=jsonpath={.items[*].status.currentMetrics}'])),
      (metrics) => (metrics.match(/"averageValue"/g) ?? []).length === scaledQueues.length,
    );
  }

  async end(): Promise<void> {
    kubectl(['delete', ...this.here, 'scaledobject', '--all', '--timeout=60s']);
    const { namespace, others, loop, nodes, folder } = this.ground;
    kubectl(['delete', 'namespace', namespace, '--wait=false']);
    await this.pods.stop();
    for (const child of others) child.kill('SIGKILL');
    await loop.end();
    await nodes.removeAll();
    rmSync(folder, { recursive: true, force: true });
  }

  private get here(): readonly string[] {
    return [`--namespace=${this.ground.namespace}`];
  }
}

/** The loop's own lock is shorter than a step may take on a busy machine. */
const environmentOf = (loop: Loop, concurrency: number): Readonly<Record<string, string>> => ({
  ...loop.env,
  FLEET_STEP_LOCK_MS: '30000',
  FLEET_STEP_CONCURRENCY: String(concurrency),
});

const apply = (namespace: string, items: readonly object[]): void => {
  const list = { apiVersion: 'v1', kind: 'List', items };
  kubectl(['apply', '--server-side', `--namespace=${namespace}`, '--filename=-'], JSON.stringify(list));
};

const valuesOf = (nodes: ChaosNodes, options: ScaledFleetOptions): Readonly<Record<string, unknown>> => {
  const { nodeSelector, tolerations } = nodes.asClass as Readonly<Record<string, unknown>>;
  const { maxReplicas, scaleDownSeconds } = options;
  const autoscaling = { enabled: true, kind: 'keda', minReplicas: 1, maxReplicas, scaleDownSeconds };
  return {
    'services.defaults.nodeSelector': nodeSelector,
    'services.defaults.tolerations': tolerations,
    'services.decisionWorker.autoscaling': autoscaling,
    'services.logAnalysisWorker.autoscaling': autoscaling,
    'networkPolicy.metrics.from': [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'keda' } } }],
  };
};

/** The Deployments as the chart has them, without what no process of theirs needs: volumes, settings, accounts. */
const workersOf = (objects: readonly Rendered[]): readonly object[] =>
  scaledQueues.map((queue) => {
    const deployment = find(objects, 'Deployment', workersOfQueues[queue]);
    const template = deployment.spec?.template as {
      readonly metadata: object;
      readonly spec: Readonly<Record<string, unknown>>;
    };
    const { metadata, spec } = template;
    const { nodeSelector, tolerations, terminationGracePeriodSeconds } = spec;
    const containers = [{ name: workersOfQueues[queue], image: 'stand-in' }];
    const bare = { metadata, spec: { nodeSelector, tolerations, terminationGracePeriodSeconds, containers } };
    return { ...deployment, spec: { ...deployment.spec, template: bare } };
  });

/** The chart's Service by which KEDA finds gateways, with the one gateway of this machine behind it. */
const gatewayOf = (objects: readonly Rendered[]): readonly object[] => {
  const { spec, ...service } = find(objects, 'Service', '-gateway-metrics');
  const { name } = service.metadata;
  return [
    { ...service, spec: { ...spec, selector: null } },
    {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { name, labels: { 'kubernetes.io/service-name': name } },
      addressType: 'IPv4',
      endpoints: [{ addresses: [nodeAddress], conditions: { ready: true } }],
      ports: [{ name: 'metrics', protocol: 'TCP', port: metricsPort }],
    },
  ];
};

const startGateway = async (folder: string, loop: Loop, healthPort: number): Promise<ChildProcess> => {
  for (const name of ['work', 'data']) mkdirSync(join(folder, name));
  const key = join(folder, 'installation.key');
  writeFileSync(key, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
  const { child, ready } = startScript('dist/apps/gateway/src/main.js', [], {
    ...loop.env,
    FLEET_WORK_ROOT: join(folder, 'work'),
    FLEET_DATA_ROOTS: join(folder, 'data'),
    FLEET_INSTALLATION_KEY_FILE: key,
    FLEET_GATEWAY_PORT: String(await freePort()),
    FLEET_HEALTH_PORT: String(healthPort),
  });
  await ready;
  return child;
};

/** Programs start at once and take no time: what is measured is the workers on both sides of them. */
const startExecutor = async (loop: Loop): Promise<ChildProcess> => {
  const work = { cycles: 1, maxWorkMs: 0, stillRunning: 0, dueInMs: 600_000 };
  const { child, ready } = startIdleProcess(Queues.executions, work, environmentOf(loop, 64));
  await ready;
  return child;
};

/** Leads from the cluster's network, which has no other way out, to a port of this machine. */
const openDoorway = async (port: number): Promise<ChildProcess> => {
  const { network } = JSON.parse(await cluster('status', '--json')) as { readonly network: string };
  const here = `/proc/${String(process.pid)}/ns/net`;
  const inside = `${nodeAddress}:${String(metricsPort)}`;
  return spawn('nsenter', [`--net=${network}`, 'doorway', inside, here, `127.0.0.1:${String(port)}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
};
