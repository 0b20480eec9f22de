import { setTimeout as sleep } from 'node:timers/promises';
import { countOf, eventually } from '../loop/loop-harness';
import { ChaosFleet, cluster } from './chaos-fleet';
import { noFaults } from './fault-proxy';

// @needs cluster-parts
const kubeconfig = process.env.KUBECONFIG ?? '';
const SESSIONS = Number(process.env.FLEET_TEST_CHAOS_SESSIONS ?? '60');
const CYCLES = 4;
const options = { cycles: CYCLES, executors: 2, programMs: [100, 1_500], relistSeconds: 3, rate: [200, 400] } as const;

/** What a bad day of an API server looks like: one request in five fails. */
const badDay = {
  ...noFaults,
  internalError: 0.1,
  tooManyRequests: 0.04,
  reset: 0.05,
  hang: 0.01,
  hangMs: 60_000,
  gone: 0.2,
};

describe('a fleet on a cluster', () => {
  let fleet: ChaosFleet;
  beforeAll(async () => {
    if (kubeconfig === '') throw new Error('KUBECONFIG is not set');
    await cluster('nodes', '10');
  });
  afterEach(async () => {
    if (process.env.FLEET_TEST_VERBOSE) console.log(fleet.executors.map(({ lines }) => lines.join('\n')).join('\n'));
    await fleet.end();
  });

  /** Every session went through all its cycles, and each of its attempts ran once. */
  const allAsWithoutChaos = async (ids: readonly string[]): Promise<void> => {
    await eventually(
      () => countOf(fleet.store, 'completed'),
      (done) => done === ids.length,
      420_000,
    );
    const sessions = await fleet.sessions(ids);
    expect(sessions.map(({ cycles }) => cycles.length)).toEqual(ids.map(() => CYCLES));
    const folders = fleet.ground.kubelet.launches.map(({ folder }) => folder);
    expect(new Set(folders).size).toBe(folders.length);
    const analysed = sessions.flatMap(({ cycles }) => cycles.map(({ attempts }) => attempts.at(-1)?.ending?.message));
    expect(analysed).toEqual(analysed.map(() => 'The stand-in ended normally.'));
  };

  it('ends every session with no watch at all, no program started twice', async () => {
    fleet = await ChaosFleet.start(kubeconfig, { ...options, watch: false });
    fleet.ground.proxy.faults = { ...noFaults, noWatch: true };
    await allAsWithoutChaos(await fleet.submit(SESSIONS));
  });

  it('ends every session the same way behind an API server that fails, is killed and loses its etcd, with executors killed at random', async () => {
    fleet = await ChaosFleet.start(kubeconfig, { ...options, watch: true });
    const ids = await fleet.submit(SESSIONS);
    fleet.ground.proxy.faults = badDay;
    const chaos = [killExecutors(), stopParts(), disturbPods()];
    await Promise.all(chaos);
    await allAsWithoutChaos(ids);
  });

  const killExecutors = async (): Promise<void> => {
    for (let kill = 0; kill < 10; kill += 1) {
      await sleep(500 + Math.random() * 2_000);
      await fleet.executors[kill % fleet.executors.length]?.kill();
    }
  };

  const stopParts = async (): Promise<void> => {
    for (const part of ['apiserver', 'etcd', 'controller-manager']) {
      await sleep(3_000);
      await cluster('stop', part);
      await sleep(2_000);
      await cluster('start', part);
    }
  };

  /** Deletes pods and Jobs behind the fleet's back. */
  const disturbPods = async (): Promise<void> => {
    for (let round = 0; round < 10; round += 1) {
      await sleep(1_500);
      const where = { namespace: fleet.ground.namespace };
      try {
        const { items } = await fleet.core().listNamespacedPod(where);
        const pod = items.find(({ status }) => status?.phase === 'Running')?.metadata?.name;
        if (pod !== undefined) await fleet.core().deleteNamespacedPod({ ...where, name: pod });
        const job = (await fleet.jobs()).find(({ status }) => (status?.active ?? 0) > 0)?.metadata?.name;
        if (job !== undefined)
          await fleet.batch().deleteNamespacedJob({ ...where, name: job, propagationPolicy: 'Background' });
      } catch {
        // The API server is down at times; the next round tries again.
      }
    }
  };
});
