import type { RunInput } from '@fleet/contracts/runs';
import { ClusterGround } from '../cluster-e2e/cluster-ground';
import { jobOf, RealRuns } from '../cluster-e2e/real-runs';
import { BareLaunches, type ShownJob } from './bare-launches';
import { allOf } from './in-flight';

/**
 * How fast the backend launches Jobs against the least that a client can do, in a process of its own: a test runner's way of running
 * code would be measured too. Pairs of rounds, in changing order, so that a busy machine slows both. No node takes the pods.
 * The last line is the ratio of each pair, as JSON: above 1 the backend was faster. What the inputs cost is in the files alone: the Job is the same.
 */

/** Jobs of one round. */
const ROUND = 50;
const PAIRS = Number(process.argv[2] ?? '20');
/** Rounds of each that do not count: the compiler needs a while, and sockets are opened. */
const WARM_UP = 4;

const nowhere = { nodeSelector: { type: 'nowhere' }, tolerations: [], resources: {}, maxRunning: 0 };
const api = { requestsPerSecond: 10_000, burst: 10_000, relistSeconds: 30, watch: true };

/** What a refinement is given, pinned: the supervisor copies it, and the launch has to carry it there. */
const pin = { inode: '281474976710656', size: 1_000_000, modified: '1767225600000000000', sha256: 'f'.repeat(64) };
const inputs: readonly RunInput[] = ['model.pdb', 'data.mtz', 'ligand.cif'].map((name, index) => ({
  argument: index,
  path: `/data/visit/${name}`,
  root: '/data',
  name: `${String(index + 1)}/${name}`,
  pin,
}));

interface Round {
  readonly seconds: number;
  /** Of this process's main thread, a launch: what other work on the machine changes least. Milliseconds. */
  readonly cpu: number;
}

const roundOf = async (launches: readonly (() => Promise<unknown>)[]): Promise<Round> => {
  const began = performance.now();
  const before = process.threadCpuUsage();
  await allOf(launches);
  const { user, system } = process.threadCpuUsage(before);
  return { seconds: (performance.now() - began) / 1_000, cpu: (user + system) / 1_000 / launches.length };
};

const summaryOf = ({ seconds, cpu }: Round): string =>
  `${(ROUND / seconds).toFixed(0)} a second, ${cpu.toFixed(2)} ms of CPU each`;

const measure = async (ground: ClusterGround, runs: RealRuns): Promise<readonly number[]> => {
  const backend = runs.aBackend({ classes: { cpu: nowhere }, api });
  const model = runs.aSpec('true');
  await backend.ensure(model);
  const shown = JSON.parse(await ground.kubectl('get', 'job', jobOf(model), '--output=json')) as ShownJob;
  const bare = await BareLaunches.of(ground.kubeconfig, ground.namespace, shown);
  const ours = (): Promise<Round> => {
    const specs = Array.from({ length: ROUND }, () => ({ ...runs.aSpec('true'), inputs }));
    return roundOf(specs.map((spec) => () => backend.ensure(spec)));
  };
  const theirs = (): Promise<Round> => roundOf(Array.from({ length: ROUND }, () => () => bare.launch()));
  for (let round = 0; round < WARM_UP; round += 1) {
    await theirs();
    await ours();
  }
  const ratios: number[] = [];
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const before = pair % 2 === 0 ? await theirs() : undefined;
    const own = await ours();
    const reference = before ?? (await theirs());
    ratios.push(reference.seconds / own.seconds);
    process.stdout.write(`${summaryOf(own)}; bare ${summaryOf(reference)}\n`);
  }
  await bare.close();
  return ratios;
};

const main = async (): Promise<void> => {
  const ground = await ClusterGround.start('launches');
  const runs = new RealRuns(ground);
  process.stdout.write('is ready\n');
  const ratios = await measure(ground, runs);
  await runs.end();
  await ground.end(false);
  process.stdout.write(`${JSON.stringify(ratios)}\n`);
};

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});
