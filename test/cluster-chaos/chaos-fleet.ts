import { BatchV1Api, CoreV1Api, KubeConfig, type V1Job, type V1Namespace } from '@kubernetes/client-node';
import { errnoOf, isTransient } from '@fleet/contracts/faults';
import { Queues } from '@fleet/contracts/queues';
import type { Session, SessionRequest } from '@fleet/contracts/sessions';
import { connectRedis } from '@fleet/redis';
import type { PostgresStore } from '@fleet/store';
import { aNewSession, anEvent, aRequest } from '@fleet/testing';
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Dice } from '../fuzz/mutations';
import { startScript, type TestProcess } from '../loop/idle-process';
import { KeptProcess } from '../loop/kept-process';
import { countOf } from '../loop/loop-harness';
import { openStore, startServers, type OpenStore, type Servers } from '../support/servers';
import { asBody } from './api-objects';
import { ChaosNodes } from './chaos-nodes';
import { FaultProxy } from './fault-proxy';
import { plannedExitOf } from './planned-exit';
import { StandInKubelet } from './stand-in-kubelet';

export interface ChaosOptions {
  readonly cycles: number;
  readonly executors: number;
  readonly nodes: number;
  /** Shortest and longest run of a stand-in program, in milliseconds. */
  readonly programMs: readonly [number, number];
  readonly watch: boolean;
  readonly relistSeconds: number;
  /** Programs at once, over all executors. */
  readonly maxRunning: number;
  /** Requests per second and burst of each executor. */
  readonly rate: readonly [number, number];
  /** For measurements: executors out of dist/ (`npm run build`), past the proxy. Absent: out of the sources, behind it. */
  readonly asInstalled?: boolean;
  /** Decides what fails behind the proxy, and how long each program runs. */
  readonly dice?: Dice;
  /** NODE_OPTIONS of the executors. */
  readonly nodeOptions?: string;
}

/** What a chaos fleet stands on. */
interface Ground {
  /** Of everything it writes; absolute. */
  readonly folder: string;
  readonly namespace: string;
  readonly servers: Servers;
  readonly opened: OpenStore;
  readonly proxy: FaultProxy;
  readonly kubelet: StandInKubelet;
  readonly nodes: ChaosNodes;
  /** The administrator's way to the API server, past the proxy. */
  readonly config: KubeConfig;
}

const builtExecutor = 'dist/apps/executor-worker/src/main.js';

/** Labels of the pods and Jobs of attempts, those that look for programs left out. */
const ofAttempts = 'phenix-fleet.io/session';

/** The executors as they are installed, over a real cluster with kwok's nodes; decisions and analyses are scripted, programs are stand-ins. */
export class ChaosFleet {
  readonly store: PostgresStore;
  readonly executors: readonly KeptProcess[];
  private readonly others: readonly KeptProcess[];

  private constructor(
    readonly ground: Ground,
    { executors, cycles, asInstalled = false, nodeOptions = '' }: ChaosOptions,
  ) {
    this.store = ground.opened.store;
    const env = environment(ground);
    const keptAlive = (name: string, file: string, args: readonly string[], more = {}): KeptProcess =>
      new KeptProcess(() => logged(ground.folder, name, startScript(file, args, { ...env, ...more })));
    this.executors = Array.from({ length: executors }, (_, index) =>
      keptAlive(`executor-${String(index + 1)}`, asInstalled ? builtExecutor : 'apps/executor-worker/src/main.ts', [], {
        NODE_OPTIONS: nodeOptions,
      }),
    );
    this.others = [Queues.decisions, Queues.analyses].map((queue) =>
      keptAlive(queue, 'test/cluster-chaos/scripted-worker.main.ts', [queue, String(cycles)], {
        FLEET_STEP_CONCURRENCY: '16',
      }),
    );
  }

  /** @param kubeconfig the administrator's, of the cluster that `scripts/cluster.mjs` made, where kwok runs */
  static async start(kubeconfig: string, options: ChaosOptions): Promise<ChaosFleet> {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fleet-chaos-')));
    for (const name of ['work', 'data', 'log']) mkdirSync(join(folder, name));
    const namespace = `chaos-${String(process.pid)}-${String(Date.now() % 100_000)}`;
    const config = new KubeConfig();
    config.loadFromFile(kubeconfig);
    await config
      .makeApiClient(CoreV1Api)
      .createNamespace({ body: asBody<V1Namespace>({ metadata: { name: namespace } }) });
    const nodes = new ChaosNodes(config, namespace, options.nodes);
    await nodes.make();
    const dice = options.dice ?? new Dice(1);
    const proxy = await FaultProxy.start(kubeconfig, dice);
    if (options.asInstalled === true) copyFileSync(kubeconfig, join(folder, 'kubeconfig'));
    else proxy.writeKubeconfig(join(folder, 'kubeconfig'), namespace);
    writeFileSync(join(folder, 'kubernetes.yaml'), JSON.stringify(settings(folder, namespace, nodes, options)));
    const kubelet = new StandInKubelet({
      kubeconfig,
      namespace,
      programMs: options.programMs,
      exitCode: plannedExitOf,
      endsWithPod: true,
      dice,
    });
    const servers = await startServers();
    const opened = await openStore(servers.databaseUrl);
    const ground = { folder, namespace, servers, opened, proxy, kubelet, nodes, config };
    const fleet = new ChaosFleet(ground, options);
    try {
      await nodes.untilReady();
      await Promise.all([...fleet.executors, ...fleet.others].map(({ ready }) => ready));
    } catch (error) {
      await fleet.end();
      throw error;
    }
    return fleet;
  }

  submit(count: number): Promise<readonly string[]> {
    return this.submitAll(
      Array.from({ length: count }, (_, index) => aRequest({ proposal: `mx${String(index % 7)}` })),
    );
  }

  async submitAll(requests: readonly SessionRequest[]): Promise<readonly string[]> {
    const made = requests.map((request) => {
      const session = aNewSession({ request });
      return { ...session, folder: join(this.ground.folder, 'work', request.proposal, session.id) };
    });
    // As the gateway leaves it: without the proposal's folder an executor takes the work root for not mounted.
    for (const { folder } of made) mkdirSync(dirname(folder), { recursive: true });
    for (const session of made) {
      const events = [anEvent({ type: 'session_submitted' })];
      await untilAnswered(() => this.store.records.create(session, events, 2_000));
    }
    return made.map(({ id }) => id);
  }

  async sessions(ids: readonly string[]): Promise<readonly Session[]> {
    const loaded = await untilAnswered(() => Promise.all(ids.map((id) => this.store.records.load(id))));
    return loaded.filter((session): session is Session => session !== undefined);
  }

  /** How many sessions have not ended. */
  running(): Promise<number> {
    return untilAnswered(() => countOf(this.store, 'running'));
  }

  /** Ends PostgreSQL at once, as a crash does, and starts it again. */
  async crashPostgres(): Promise<boolean> {
    await this.ground.servers.postgres.crash();
    return true;
  }

  /** Takes everything out of Redis. */
  async emptyRedis(): Promise<boolean> {
    const redis = connectRedis({ url: this.ground.servers.redis.url });
    await redis.flushall();
    redis.disconnect();
    return true;
  }

  /** Jobs of attempts, with the administrator's eyes, past the proxy. */
  async jobs(): Promise<readonly V1Job[]> {
    const where = { namespace: this.ground.namespace, labelSelector: ofAttempts };
    return (await this.batch().listNamespacedJob(where)).items;
  }

  core(): CoreV1Api {
    return this.ground.config.makeApiClient(CoreV1Api);
  }

  batch(): BatchV1Api {
    return this.ground.config.makeApiClient(BatchV1Api);
  }

  /** Resident memory of each executor in MiB; undefined for one that is just not there. */
  memoryMiB(): readonly (number | undefined)[] {
    return this.executors.map(({ pid }) => residentMiB(pid));
  }

  /** @param keepLogs a folder that gets the logs of every process; absent: they go away with the rest */
  async end(keepLogs?: string): Promise<void> {
    const { kubelet, proxy, servers, opened, nodes, namespace, folder } = this.ground;
    await Promise.all([...this.executors, ...this.others].map((process) => process.stop()));
    await kubelet.stop();
    await proxy.stop();
    await opened.close();
    await servers.stop();
    await this.core().deleteNamespace({ name: namespace });
    await nodes.removeAll();
    if (keepLogs !== undefined) cpSync(join(folder, 'log'), join(keepLogs, namespace), { recursive: true });
    rmSync(folder, { recursive: true, force: true });
  }
}

/** PostgreSQL may crash amid a call: asked again until it answers. */
const untilAnswered = async <T>(act: () => Promise<T>): Promise<T> => {
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (!isTransient(error)) throw error;
      await sleep(200);
    }
  }
};

/** What a process wrote goes into a file when it has ended. */
const logged = (folder: string, name: string, started: TestProcess): TestProcess => {
  const ended = started.ended.then((how) => {
    appendFileSync(join(folder, 'log', `${name}.log`), `${started.lines.join('\n')}\nended: ${String(how)}\n`);
    return how;
  });
  return { ...started, ended };
};

const residentMiB = (pid: number | undefined): number | undefined => {
  try {
    const text = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
    const kib = /^VmRSS:\s+(\d+) kB$/m.exec(text)?.[1];
    return kib === undefined ? undefined : Math.round(Number(kib) / 1024);
  } catch (error) {
    // Killed just now.
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ESRCH') return undefined;
    throw error;
  }
};

const environment = ({ servers, folder }: Ground): Readonly<Record<string, string>> => ({
  ...servers.env,
  REDIS_KEY_PREFIX: 'chaos',
  KUBECONFIG: join(folder, 'kubeconfig'),
  FLEET_BACKEND: 'kubernetes',
  FLEET_KUBERNETES_FILE: join(folder, 'kubernetes.yaml'),
  FLEET_WORK_ROOT: join(folder, 'work'),
  FLEET_DATA_ROOTS: join(folder, 'data'),
  FLEET_MAX_ATTEMPTS: '20',
  FLEET_MAX_DISRUPTIONS: '50',
  FLEET_LOG_LEVEL: 'info',
  FLEET_SWEEP_INTERVAL_MS: '500',
  FLEET_SWEEP_GRACE_MS: '1000',
  FLEET_SWEEP_RECHECK_MS: '2000',
  FLEET_STEP_LOCK_MS: '5000',
});

const settings = (
  folder: string,
  namespace: string,
  nodes: ChaosNodes,
  { watch, relistSeconds, rate, maxRunning }: ChaosOptions,
): object => ({
  namespace,
  installation: 'chaos',
  sources: [{ name: 'stand-in', image: 'stand-in', runner: 'baked' }],
  runnerImage: 'stand-in',
  volumes: { work: { mountPath: join(folder, 'work'), hostPath: join(folder, 'work') } },
  classes: { cpu: nodes.asClass },
  identity: { fleetGid: 10_000, default: { uid: 10_001, gid: 10_001 } },
  api: { requestsPerSecond: rate[0], burst: rate[1], relistSeconds, watch },
  limits: { maxRunning },
  resultGraceSeconds: 3,
});
