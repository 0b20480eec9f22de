import { BatchV1Api, CoreV1Api, KubeConfig, V1Namespace, V1ObjectMeta, type V1Job } from '@kubernetes/client-node';
import { Queues, type Session } from '@fleet/contracts';
import { connectStore, RedisSessionStore } from '@fleet/session-store';
import { aNewSession, anEvent, aRequest, startRedis, type RedisServer } from '@fleet/testing';
import type { Redis } from 'ioredis';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { startScript, type TestProcess } from '../loop/idle-process';
import { KeptProcess } from '../loop/kept-process';
import { FaultProxy } from './fault-proxy';
import { StandInKubelet } from './stand-in-kubelet';

const run = promisify(execFile);
const clusterScript = resolve(__dirname, '../../scripts/cluster.mjs');

/** One command of the cluster's own tool. */
export const cluster = async (...args: readonly string[]): Promise<string> => {
  const { stdout } = await run(process.execPath, [clusterScript, ...args], {
    env: { ...process.env, KUBECONFIG: undefined },
    maxBuffer: 16 * 1024 * 1024,
  });
  return stdout;
};

export interface ChaosOptions {
  readonly cycles: number;
  readonly executors: number;
  readonly programMs: readonly [number, number];
  readonly watch: boolean;
  readonly relistSeconds: number;
  /** Requests per second and burst of each executor. */
  readonly rate: readonly [number, number];
}

/** What a chaos fleet stands on. */
interface Ground {
  /** Of everything it writes; absolute. */
  readonly folder: string;
  readonly namespace: string;
  readonly redis: RedisServer;
  readonly proxy: FaultProxy;
  readonly kubelet: StandInKubelet;
  /** The administrator's way to the API server, past the proxy. */
  readonly config: KubeConfig;
}

/** The executors as they are installed, over a real cluster with kwok's nodes; decisions and analyses are scripted, programs are stand-ins. */
export class ChaosFleet {
  readonly store: RedisSessionStore;
  readonly executors: readonly KeptProcess[];
  private readonly others: readonly KeptProcess[];
  private readonly connection: Redis;

  private constructor(
    readonly ground: Ground,
    { executors, cycles }: ChaosOptions,
  ) {
    this.connection = connectStore({ url: ground.redis.url });
    this.connection.on('error', () => undefined);
    this.store = new RedisSessionStore(this.connection, 'chaos');
    const env = environment(ground);
    const executor = (): TestProcess => startScript('apps/executor-worker/src/main.ts', [], env);
    this.executors = Array.from({ length: executors }, () => new KeptProcess(executor));
    const scripted = { ...env, FLEET_STEP_CONCURRENCY: '16' };
    this.others = [Queues.decisions, Queues.analyses].map(
      (queue) =>
        new KeptProcess(() =>
          startScript('test/cluster-chaos/scripted-worker.main.ts', [queue, String(cycles)], scripted),
        ),
    );
  }

  /** @param kubeconfig the administrator's, of the cluster that `scripts/cluster.mjs` made */
  static async start(kubeconfig: string, options: ChaosOptions): Promise<ChaosFleet> {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fleet-chaos-')));
    for (const name of ['work', 'data']) mkdirSync(join(folder, name));
    const namespace = `chaos-${String(process.pid)}-${String(Date.now() % 100_000)}`;
    const config = new KubeConfig();
    config.loadFromFile(kubeconfig);
    const metadata = Object.assign(new V1ObjectMeta(), { name: namespace });
    await config.makeApiClient(CoreV1Api).createNamespace({ body: Object.assign(new V1Namespace(), { metadata }) });
    const proxy = await FaultProxy.start(kubeconfig);
    proxy.writeKubeconfig(join(folder, 'kubeconfig'), namespace);
    writeFileSync(join(folder, 'kubernetes.yaml'), JSON.stringify(settings(folder, namespace, options)));
    const kubelet = new StandInKubelet({ kubeconfig, namespace, programMs: options.programMs });
    const fleet = new ChaosFleet({ folder, namespace, redis: await startRedis(), proxy, kubelet, config }, options);
    await Promise.all([...fleet.executors, ...fleet.others].map(({ ready }) => ready));
    return fleet;
  }

  async submit(count: number): Promise<readonly string[]> {
    const made = Array.from({ length: count }, (_, index) => {
      const session = aNewSession({ request: aRequest({ proposal: `mx${String(index % 7)}` }) });
      return { ...session, folder: join(this.ground.folder, 'work', session.request.proposal, session.id) };
    });
    for (const session of made) await this.store.create(session, [anEvent({ type: 'session_submitted' })], 2_000);
    return made.map(({ id }) => id);
  }

  async sessions(ids: readonly string[]): Promise<readonly Session[]> {
    const loaded = await Promise.all(ids.map((id) => this.store.load(id)));
    return loaded.filter((session): session is Session => session !== undefined);
  }

  /** Jobs of sessions, with the administrator's eyes, past the proxy. */
  async jobs(): Promise<readonly V1Job[]> {
    const { items } = await this.ground.config
      .makeApiClient(BatchV1Api)
      .listNamespacedJob({ namespace: this.ground.namespace, labelSelector: 'phenix-fleet.io/session' });
    return items;
  }

  core(): CoreV1Api {
    return this.ground.config.makeApiClient(CoreV1Api);
  }

  batch(): BatchV1Api {
    return this.ground.config.makeApiClient(BatchV1Api);
  }

  async end(): Promise<void> {
    const { kubelet, proxy, redis, namespace, folder } = this.ground;
    await Promise.all([...this.executors, ...this.others].map((process) => process.stop()));
    await kubelet.stop();
    await proxy.stop();
    this.store.close();
    this.connection.disconnect();
    await redis.stop();
    await this.core().deleteNamespace({ name: namespace });
    rmSync(folder, { recursive: true, force: true });
  }
}

const environment = ({ redis, folder }: Ground): Readonly<Record<string, string>> => ({
  REDIS_URL: redis.url,
  REDIS_KEY_PREFIX: 'chaos',
  KUBECONFIG: join(folder, 'kubeconfig'),
  FLEET_BACKEND: 'kubernetes',
  FLEET_KUBERNETES_FILE: join(folder, 'kubernetes.yaml'),
  FLEET_WORK_ROOT: join(folder, 'work'),
  FLEET_DATA_ROOTS: join(folder, 'data'),
  FLEET_MAX_ATTEMPTS: '20',
  FLEET_MAX_DISRUPTIONS: '50',
  FLEET_LOG_LEVEL: 'info',
  FLEET_SWEEP_INTERVAL_MS: '250',
  FLEET_SWEEP_GRACE_MS: '500',
  FLEET_SWEEP_RECHECK_MS: '1000',
  FLEET_STEP_LOCK_MS: '2000',
});

const settings = (folder: string, namespace: string, { watch, relistSeconds, rate }: ChaosOptions): object => ({
  namespace,
  installation: 'chaos',
  sources: [{ name: 'stand-in', image: 'stand-in', runner: 'baked' }],
  runnerImage: 'stand-in',
  volumes: { work: { mountPath: join(folder, 'work'), hostPath: join(folder, 'work') } },
  classes: {
    cpu: { nodeSelector: { type: 'kwok' }, tolerations: [{ key: 'kwok.x-k8s.io/node', operator: 'Exists' }] },
  },
  identity: { fleetGid: 10_000, default: { uid: 10_001, gid: 10_001 } },
  api: { requestsPerSecond: rate[0], burst: rate[1], relistSeconds, watch },
  resultGraceSeconds: 5,
});
