import type { KubernetesBackend } from '@fleet/kubernetes-backend';
import { attemptName, type RunSpec } from '@fleet/contracts/runs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { ChaosFleet } from '../cluster-chaos/chaos-fleet';
import { StandInKubelet } from '../cluster-chaos/stand-in-kubelet';
import { cluster, ClusterGround } from '../cluster-e2e/cluster-ground';
import { RealRuns } from '../cluster-e2e/real-runs';
import { startScript } from '../loop/idle-process';
import { deliver, figure, median, type Figure } from './figures';
import { allOf } from './in-flight';
import { JobSightings } from './job-sightings';

// @needs cluster-parts @needs cluster-tools
const kubeconfig = process.env.KUBECONFIG ?? '';
const JOBS = Number(process.env.FLEET_TEST_JOBS ?? '2000');
const NODES = 200;
const GPU_NODES = 40;
const GPUS_EACH = 4;
/** Every so many Jobs one asks for a GPU. */
const GPU_SHARE = 5;

/** Seconds between lists: the default of the settings beside a watch, and where there is no watch. */
const WATCHED_RELIST = 30;
const RELIST = 5;
const CYCLES = 10;
/** Shortest and longest program of the run with watch: as many sessions at once as JOBS / CYCLES, so about three ends a second. */
const PROGRAM_MS = [30_000, 90_000] as const;

const figures: Figure[] = [];
const minutes = 60_000;
const unbounded = [10_000, 10_000] as const;

const tolerations = [{ key: 'kwok.x-k8s.io/node', operator: 'Exists' }] as const;
const classes = {
  cpu: { nodeSelector: { type: 'kwok' }, tolerations, resources: {}, maxRunning: 0 },
  gpu: {
    nodeSelector: { 'nvidia.com/gpu.present': 'true' },
    tolerations,
    resources: { 'nvidia.com/gpu': '1' },
    maxRunning: 0,
  },
};

beforeAll(() => {
  if (kubeconfig === '') throw new Error('KUBECONFIG is not set');
});

afterEach(() => deliver(figures));

const quantile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
};

const memoryLine = /^collected (\{.*\})$/;
const collectOnSignal = `--import ${pathToFileURL(join(__dirname, 'collect-on-signal.mjs')).href}`;

/** What an executor had left after each full collection, MiB, oldest first. */
const collections = (lines: readonly string[]): readonly { readonly live: number; readonly resident: number }[] =>
  lines.flatMap((line) => {
    const found = memoryLine.exec(line)?.[1];
    return found === undefined ? [] : [JSON.parse(found) as { live: number; resident: number }];
  });

/**
 * The executor as it is installed, a process of its own; decisions and analyses are scripted. From a program's end to the sight
 * of the next Job: the watch, three queues, the records. First of all, for what follows leaves thousands of Jobs to be deleted.
 */
describe('Jobs by the executor', () => {
  let fleet: ChaosFleet | undefined;
  beforeAll(() => cluster('start', 'kwok'));
  afterEach(async () => {
    await fleet?.end(process.env.FLEET_TEST_CHAOS_LOGS);
    fleet = undefined;
  }, 10 * minutes);

  const measure = async (
    sessions: number,
    options: { readonly watch: boolean; readonly cycles: number; readonly programMs: readonly [number, number] },
  ): Promise<{ readonly pauses: readonly number[]; readonly live: readonly number[] }> => {
    const { watch, cycles, programMs } = options;
    const relistSeconds = watch ? WATCHED_RELIST : RELIST;
    const common = { executors: 1, nodes: NODES, maxRunning: 0, rate: unbounded, asInstalled: true };
    const nodeOptions = collectOnSignal;
    fleet = await ChaosFleet.start(kubeconfig, { ...common, nodeOptions, cycles, programMs, watch, relistSeconds });
    const sightings = new JobSightings(kubeconfig, fleet.ground.namespace);
    const lag = monitorEventLoopDelay({ resolution: 10 });
    lag.enable();
    const ids = await fleet.submit(sessions);
    const memory: number[] = [];
    const pids = new Set<number | undefined>();
    for (let done = 0, rounds = 1; done < sessions; rounds += 1) {
      await sleep(2_000);
      memory.push(fleet.memoryMiB()[0] ?? Number.NaN);
      // A collection stops the executor for a moment, so they are rare.
      if (rounds % 30 === 0) process.kill(fleet.executors[0]?.pid ?? Number.NaN, 'SIGWINCH');
      pids.add(fleet.executors[0]?.pid);
      done = (await fleet.store.index.list({ status: 'completed' }, sessions)).sessions.length;
    }
    await sightings.stop();
    lag.disable();
    const pauses = (await fleet.sessions(ids)).flatMap(({ id, cycles: records }) =>
      records.flatMap(({ cycle, attempts }) => {
        const next = sightings.at(`phx-${attemptName(id, cycle + 1, 1)}`);
        const endedAt = attempts.at(-1)?.ending?.endedAt;
        return next === undefined || endedAt === undefined ? [] : [next - Date.parse(endedAt)];
      }),
    );
    const report = [0.5, 0.9, 0.99, 1].map((share) => quantile(pauses, share)).join(' ');
    process.stderr.write(`end of a Job to the next, ms (50, 90, 99, 100 %): ${report}\n`);
    const own = [lag.percentile(50), lag.percentile(99), lag.max].map((ns) => Math.round(ns / 1e6)).join(' ');
    process.stderr.write(
      `delay of this measuring process itself, which plays the kubelets too, ms (50, 99, 100 %): ${own}\n`,
    );
    const left = collections(fleet.executors[0]?.lines ?? []);
    process.stderr.write(`memory of the executor, MiB, resident: ${memory.join(' ')}\n`);
    process.stderr.write(`… after full collections: ${JSON.stringify(left)}\n`);
    expect(pids.size).toBe(1);
    expect(pauses).toHaveLength(sessions * (cycles - 1));
    return { pauses, live: left.map(({ live }) => live) };
  };

  it(
    'follow one another at once while the watch tells of their ends',
    async () => {
      const sessions = JOBS / CYCLES;
      const { pauses, live } = await measure(sessions, { watch: true, cycles: CYCLES, programMs: PROGRAM_MS });
      const quarter = Math.floor(live.length / 4);
      const growth = median(live.slice(-quarter)) / median(live.slice(quarter, 2 * quarter));
      figures.push(
        figure('end of a Job to the next Job, with watch, p99 (ms)', quantile(pauses, 0.99), '<=', 250),
        figure('memory of the executor after a collection, last quarter against the second', growth, '<=', 1.1),
      );
    },
    30 * minutes,
  );

  it(
    'follow one another within the poll while no watch tells of their ends',
    async () => {
      const { pauses } = await measure(40, { watch: false, cycles: 4, programMs: [1_000, 4_000] });
      figures.push(
        figure(
          `end of a Job to the next Job, lists every ${String(RELIST)} s and no watch, p99 (s)`,
          quantile(pauses, 0.99) / 1_000,
          '<=',
          RELIST + 1,
        ),
      );
    },
    15 * minutes,
  );
});

/** A file system in memory, if there is one: the cost of the client must not depend on the disk, whose figure is printed beside it. */
const inMemory = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

const launchRatios = async (workFolder: string): Promise<readonly number[]> => {
  const environment = { KUBECONFIG: kubeconfig, TMPDIR: workFolder };
  const { ended, lines } = startScript('test/bench/launch-rate.main.ts', [], environment);
  const exit = await ended;
  process.stderr.write(`launches, their files in ${workFolder}:\n${lines.join('\n')}\n`);
  expect(exit).toBe(0);
  return JSON.parse(lines.at(-1) ?? '') as readonly number[];
};

describe('launches of the backend', () => {
  it(
    'keep up with a bare client loop',
    async () => {
      const ratio = median(await launchRatios(inMemory));
      figures.push(figure('Jobs launched by the backend against a bare client loop (per s)', ratio, '>=', 0.8));
      const onDisk = median(await launchRatios(tmpdir()));
      process.stderr.write(`the same with the files in ${tmpdir()}: ${onDisk.toFixed(3)}\n`);
    },
    20 * minutes,
  );
});

/** The backend alone, in this process: no queues and no records. */
describe('Jobs by the backend', () => {
  let ground: ClusterGround;
  let runs: RealRuns;
  let backend: KubernetesBackend;
  beforeAll(async () => {
    await cluster('nodes', String(NODES - GPU_NODES));
    await cluster('nodes', String(GPU_NODES), '--gpus', String(GPUS_EACH));
    ground = await ClusterGround.start('jobs');
    runs = new RealRuns(ground);
    const [requestsPerSecond, burst] = unbounded;
    backend = runs.aBackend({ classes, api: { requestsPerSecond, burst, relistSeconds: 30, watch: true } });
  }, 5 * minutes);
  afterAll(async () => {
    await runs.end();
    await ground.end(false);
    await cluster('nodes', '0');
  }, 15 * minutes);

  const aSpec = (_: unknown, index: number): RunSpec => {
    const kind = index % GPU_SHARE === 0 ? 'gpu' : 'cpu';
    return runs.aSpec('true', { resources: { class: kind, cpus: 1, mayFallBack: false } });
  };

  it(
    'start once each, and with a GPU where one was asked for',
    async () => {
      const specs = Array.from({ length: JOBS }, aSpec);
      await allOf(specs.map((spec) => () => backend.ensure(spec)));
      const options = { kubeconfig, namespace: ground.namespace, programMs: [500, 2_000] } as const;
      const kubelet = new StandInKubelet({ ...options, endsWithPod: true });
      for (const spec of specs) await runs.endOf(backend, spec, 10 * minutes);
      await kubelet.stop();
      expect(kubelet.failures).toEqual([]);
      const gpuFolders = new Set(
        specs
          .filter(({ resources }) => resources.class === 'gpu')
          .map(({ sessionFolder, attemptFolder }) => `${sessionFolder}/${attemptFolder}`),
      );
      const onGpus = kubelet.launches.filter(({ folder }) => gpuFolders.has(folder));
      expect(new Set(kubelet.launches.map(({ folder }) => folder)).size).toBe(kubelet.launches.length);
      expect(onGpus).toHaveLength(gpuFolders.size);
      const astray = onGpus.filter(({ node }) => !node.startsWith(`fake-gpu${String(GPUS_EACH)}`));
      figures.push(figure(`GPU programs on a node without one, of ${String(onGpus.length)}`, astray.length, '<=', 0));
    },
    30 * minutes,
  );
});
