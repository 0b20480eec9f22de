import { setTimeout as sleep } from 'node:timers/promises';
import { ReplicaDiary, turnsOf } from '../autoscaling/replica-diary';
import { ScaledFleet, scaledQueues } from '../autoscaling/scaled-fleet';
import type { IdleWork } from '../loop/idle-stages';
import { countOf, submit, trailOf } from '../loop/loop-harness';
import { deliver, figure } from './figures';

// @needs cluster-parts @needs cluster-tools

const SESSIONS = 500;
const CYCLES = 2;
/** Most pods of each worker, and how many there are in the run that is not scaled. */
const MOST = 5;
/** Shorter than the chart's five minutes, so that the way back is seen as well. */
const SCALE_DOWN_SECONDS = 40;
const deadlineMs = 900_000;
/** Logs take longer than decisions, so that steps wait for both workers. */
const took = (minWorkMs: number, maxWorkMs: number): IdleWork => ({
  ...{ cycles: CYCLES, minWorkMs, maxWorkMs, stillRunning: 0, dueInMs: 600_000 },
});
const work = { decisions: took(800, 1_200), analyses: took(2_000, 3_000) };

/** A burst of sessions over Deployments that KEDA scales by the backlog, beside the same burst over a fixed number of pods. */
describe('workers scaled by their backlog', () => {
  let fleet: ScaledFleet;
  beforeAll(async () => {
    const options = { maxReplicas: MOST, scaleDownSeconds: SCALE_DOWN_SECONDS, concurrency: 4, work };
    fleet = await ScaledFleet.start(process.env.KUBECONFIG ?? '', options);
  }, deadlineMs);
  afterAll(() => fleet.end(), 120_000);

  const until = async (what: string, done: () => Promise<boolean> | boolean): Promise<void> => {
    const end = Date.now() + deadlineMs;
    while (!(await done())) {
      if (Date.now() > end) throw new Error(`never seen: ${what}`);
      await sleep(1_000);
    }
  };

  /** Submits the burst and waits until all sessions have ended. Returns the seconds, and how many went through every step once. */
  const drain = async (): Promise<{ readonly seconds: number; readonly whole: number }> => {
    const { store } = fleet.ground.loop;
    const before = await countOf(store, 'completed');
    const begun = performance.now();
    const ids = await submit(store, SESSIONS);
    await until('the end of all sessions', async () => (await countOf(store, 'completed')) === before + SESSIONS);
    const seconds = (performance.now() - begun) / 1000;
    const trails = await Promise.all(ids.map((id) => store.events.transitions(id)));
    const wanted = JSON.stringify(trailOf(CYCLES));
    return { seconds, whole: trails.filter((trail) => JSON.stringify(trail) === wanted).length };
  };

  it(
    'go from one to many and back, and lose nothing',
    async () => {
      await fleet.fix(MOST);
      const fixed = await drain();
      await fleet.fix(1);
      await fleet.pods.settled();
      await fleet.handOver();
      const diary = new ReplicaDiary(fleet.apps, fleet.ground.namespace);
      const scaled = await drain();
      const names = scaledQueues.map((queue) => fleet.deployments[queue]);
      const spent = names.map((name) => Math.round(diary.podSeconds(name)));
      const alone = performance.now();
      await until('one pod of each', () => names.every((name) => diary.now(name) === 1));
      const back = (performance.now() - alone) / 1000;
      await fleet.pods.settled();
      await diary.stop();
      for (const [index, name] of names.entries()) {
        const line = diary.of(name).map(({ second, replicas }) => `${String(second)} s: ${String(replicas)}`);
        process.stderr.write(`${name}: ${line.join(', ')}; ${String(spent[index])} pod seconds until all had ended\n`);
      }
      const seconds = `${fixed.seconds.toFixed(0)} s with ${String(MOST)} pods each, ${scaled.seconds.toFixed(0)} s from one on`;
      process.stderr.write(
        `${String(SESSIONS)} sessions drained in ${seconds}; back at one pod ${back.toFixed(0)} s later\n`,
      );
      const series = names.map((name) => diary.of(name).map(({ replicas }) => replicas));
      const { endings } = fleet.pods;
      deliver([
        figure('sessions that took every step once, of both bursts', fixed.whole + scaled.whole, '>=', 2 * SESSIONS),
        figure(
          'most pods of the worker with the fewest',
          Math.min(...series.map((one) => Math.max(...one))),
          '>=',
          MOST,
        ),
        figure('turns of the worker that turned most', Math.max(...series.map(turnsOf)), '<=', 2),
        figure(
          'pods scaled in that did not end by themselves',
          endings.filter((how) => how !== 'SIGTERM').length,
          '<=',
          0,
        ),
        figure('pods scaled in', endings.length, '>=', 2 * (MOST - 1)),
        figure('seconds to drain, scaled from one over fixed', scaled.seconds / fixed.seconds, '<=', 2.5),
        figure('seconds until one pod each was left', back, '<=', 4 * SCALE_DOWN_SECONDS),
      ]);
    },
    3 * deadlineMs,
  );
});
