import type { V1Job } from '@kubernetes/client-node';
import type { Session } from '@fleet/contracts/sessions';
import { setTimeout as sleep } from 'node:timers/promises';
import { cluster } from '../cluster-e2e/cluster-ground';
import { Dice } from '../fuzz/mutations';
import { anySeed } from '../loop/seeded-kills';
import { ChaosFleet, type ChaosOptions } from './chaos-fleet';
import { noFaults } from './fault-proxy';
import { plannedExit } from './planned-exit';
import { stoppableParts, Troubles, type TroublePlan } from './troubles';

/** How large the scenarios are: a short form for every day, and the full one. */
export interface ChaosSize {
  readonly sessions: number;
  readonly fleet: Omit<ChaosOptions, 'watch' | 'dice'>;
  readonly troubles: TroublePlan;
  /** All sessions of a scenario must have ended by then, in milliseconds. */
  readonly withinMs: number;
}

/** Names of figures that somebody asks for. */
export const wall = 'seconds until all had ended';
const memoryAt = 'memory of the executor that lived, at';
export const memoryBefore = `${memoryAt} the start (MiB)`;
export const memoryAfter = `${memoryAt} the end (MiB)`;

/** What was seen; each figure by its name. */
type ChaosFigures = Readonly<Record<string, number>>;

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

/** Unfinished Jobs of runs that have ended are deleted by the executor after 30 s. */
const leftoverMs = 60_000;

/** For the start of processes on a busy machine, and the look at what is left. */
const startAndEndMs = 180_000;

/** One scenario's figures as a table. */
const tableOf = (scenario: string, figures: ChaosFigures): string => {
  const rows = Object.entries(figures).map(([name, value]) => `| ${name} | ${String(value)} |`);
  return [`| ${scenario} | |`, '| --- | --- |', ...rows, ''].join('\n');
};

/** Registers both scenarios as tests. Their figures are printed as tables; `take` gets them too. */
export const describeChaos = (
  size: ChaosSize,
  take: (scenario: string, figures: ChaosFigures) => void = () => undefined,
): void => {
  const seed = Number(process.env.FLEET_TEST_SEED ?? anySeed());
  const dice = new Dice(seed);
  const report = (scenario: string, figures: ChaosFigures): void => {
    process.stderr.write(`${tableOf(scenario, figures)}\n`);
    take(scenario, figures);
  };

  describe(`a fleet of ${String(size.fleet.executors)} executors on a cluster, ${String(size.sessions)} sessions`, () => {
    const kubeconfig = process.env.KUBECONFIG ?? '';
    const timeoutMs = size.withinMs + startAndEndMs;
    let fleet: ChaosFleet | undefined;
    let troubles: Troubles | undefined;

    beforeAll(async () => {
      if (kubeconfig === '') throw new Error('KUBECONFIG is not set');
      process.stderr.write(`chaos: FLEET_TEST_SEED=${String(seed)}\n`);
      await cluster('start', 'kwok');
    });
    afterEach(async () => {
      await troubles?.stop();
      await cluster('start', ...stoppableParts);
      await fleet?.end(process.env.FLEET_TEST_CHAOS_LOGS);
      [fleet, troubles] = [undefined, undefined];
    });

    it(
      'ends every session with no watch at all, no program started twice',
      async () => {
        fleet = await ChaosFleet.start(kubeconfig, { ...size.fleet, dice, watch: false });
        fleet.ground.proxy.faults = { ...noFaults, noWatch: true };
        const run = await startRun(fleet, size);
        const figures = await endAsWithoutChaos(run, size);
        report('without watch', figures);
        expect(figures['attempts that were taken away or lost']).toBe(0);
      },
      timeoutMs,
    );

    it(
      'ends every session the same way behind a failing API server, its parts killed, executors killed, pods, Jobs and nodes lost, PostgreSQL crashed, Redis emptied',
      async () => {
        fleet = await ChaosFleet.start(kubeconfig, { ...size.fleet, dice, watch: true });
        const run = await startRun(fleet, size);
        troubles = new Troubles(fleet, size.troubles, dice);
        fleet.ground.proxy.faults = badDay;
        await workWhile(troubles.deal(), run);
        report('with everything', { ...troubles.dealt, ...(await endAsWithoutChaos(run, size, troubles.deletedJobs)) });
        expect(troubles.dealt).toMatchObject(planned(size.troubles));
      },
      timeoutMs,
    );
  });
};

/** What a plan deals where there is work to the end. */
const planned = (plan: TroublePlan): Readonly<Record<string, number>> => {
  const parts = plan.parts.map((part) => `${part} killed`);
  const nodes = plan.nodes.map((how) => `nodes ${how}`);
  const counted = [...parts, ...nodes].map((deed, _, all) => [deed, all.filter((other) => other === deed).length]);
  return {
    'executors killed': plan.executorKills,
    'pods deleted': plan.podsDeleted,
    'pods evicted': plan.podsEvicted,
    'Jobs deleted': plan.jobsDeleted,
    'crashes of PostgreSQL': plan.postgresCrashes,
    'times Redis was emptied': plan.redisEmptied,
    ...(Object.fromEntries(counted) as Record<string, number>),
  };
};

interface Run {
  readonly fleet: ChaosFleet;
  /** Of all sessions, those that came later too. */
  readonly ids: string[];
  readonly began: number;
  readonly memoryMiB: readonly (number | undefined)[];
}

const startRun = async (fleet: ChaosFleet, { sessions }: ChaosSize): Promise<Run> => {
  const memoryMiB = fleet.memoryMiB();
  const began = performance.now();
  return { fleet, ids: [...(await fleet.submit(sessions))], began, memoryMiB };
};

/** Submits further sessions as long as it takes, so that every trouble meets a fleet at work. */
const workWhile = async (dealing: Promise<void>, { fleet, ids }: Run): Promise<void> => {
  const isDealt = dealing.then(() => true);
  while (!(await Promise.race([isDealt, sleep(200, false)]))) {
    if ((await fleet.running()) < fleet.executors.length) ids.push(...(await fleet.submit(1)));
  }
};

/** Waits until all have ended, and holds its outcome against its outcome without any trouble. */
const endAsWithoutChaos = async (
  run: Run,
  size: ChaosSize,
  deletedJobs: ReadonlySet<string> = new Set(),
): Promise<ChaosFigures> => {
  const { fleet, ids, began } = run;
  const { kubelet, proxy } = fleet.ground;
  const memory: number[] = [];
  const sessions = await allEnded(run, size.withinMs, () => memory.push(fleet.memoryMiB().at(-1) ?? 0));
  const wallS = Math.round((performance.now() - began) / 1_000);

  expect(sessions.map(outcomeOf)).toEqual(ids.map((id) => outcomeWithoutChaos(id, size.fleet.cycles)));
  const launched = kubelet.launches.map(({ folder }) => folder);
  expect(repeated(launched)).toEqual([]);
  expect(kubelet.failures).toEqual([]);
  const attempts = sessions.flatMap(({ cycles }) => cycles.flatMap((cycle) => cycle.attempts));
  const jobs = [...withThoseThere(proxy.created, await fleet.jobs())].filter(
    ([name]) => !name.startsWith('phx-programs-'),
  );
  // A Job that somebody deletes before its executor could note that it was made leaves no trace.
  const again = jobs.filter(([, uids]) => uids.size > 1).map(([name]) => name);
  expect(again.filter((name) => !deletedJobs.has(name))).toEqual([]);
  await noJobLeft(fleet);

  return {
    sessions: sessions.length,
    cycles: sessions.length * size.fleet.cycles,
    [wall]: wallS,
    attempts: attempts.length,
    'attempts that were taken away or lost': attempts.filter(({ ending }) => ending?.infrastructure === true).length,
    ...countsOf(attempts.map(({ ending }) => `attempts: ${String(ending?.kind)}`)),
    'programs started': launched.length,
    'Jobs created': jobs.length,
    'Jobs created again after somebody deleted them': again.length,
    'requests to the API server': Object.values(proxy.seen).reduce((sum, seen) => sum + seen, 0),
    ...Object.fromEntries(Object.entries(proxy.dealt).map(([fault, times]) => [`fault ${fault}`, times])),
    [memoryBefore]: run.memoryMiB.at(-1) ?? 0,
    [`${memoryAt} half time (MiB)`]: memory[Math.floor(memory.length / 2)] ?? 0,
    [memoryAfter]: memory.at(-1) ?? 0,
  };
};

const allEnded = async ({ fleet, ids }: Run, withinMs: number, onLook: () => void): Promise<readonly Session[]> => {
  const until = performance.now() + withinMs;
  for (;;) {
    const sessions = await fleet.sessions(ids);
    onLook();
    const stuck = sessions.filter(({ status }) => status === 'running');
    if (stuck.length === 0 && sessions.length === ids.length) return sessions;
    if (performance.now() > until) {
      throw new Error(`not ended: ${JSON.stringify(stuck.map(positionOf), undefined, 1)}`);
    }
    await sleep(Math.min(2_000, 50 + ids.length * 5));
  }
};

const positionOf = ({ id, stage, cycle, attempt, version, cycles }: Session): object => {
  const record = cycles.find((known) => known.cycle === cycle);
  return { id, stage, cycle, attempt, version, waiting: record?.waiting?.reason, attempts: record?.attempts };
};

interface Outcome {
  readonly status: string;
  readonly reason: string | undefined;
  /** How the last attempt of each cycle ended. */
  readonly cycles: readonly string[];
}

const outcomeOf = ({ status, stop, cycles }: Session): Outcome => ({
  status,
  reason: stop?.reason,
  cycles: cycles.map(({ cycle, attempts }) => {
    const ending = attempts.at(-1)?.ending;
    return `${String(cycle)}: ${String(ending?.kind)} ${String(ending?.exitCode)}`;
  }),
});

const outcomeWithoutChaos = (id: string, cycles: number): Outcome => ({
  status: 'completed',
  reason: 'nothing_left',
  cycles: Array.from({ length: cycles }, (_, index) => index + 1).map(
    (cycle) => `${String(cycle)}: exited ${String(plannedExit(id, cycle))}`,
  ),
});

/** Creates Jobs whose creation request gets no response. */
const withThoseThere = (
  created: ReadonlyMap<string, ReadonlySet<string>>,
  there: readonly V1Job[],
): ReadonlyMap<string, ReadonlySet<string>> => {
  const all = new Map(created);
  for (const { metadata } of there) {
    const name = metadata?.name ?? '';
    all.set(name, new Set([...(all.get(name) ?? []), metadata?.uid ?? '']));
  }
  return all;
};

const countsOf = (words: readonly string[]): Readonly<Record<string, number>> => {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return Object.fromEntries(counts);
};

const repeated = (names: readonly string[]): readonly string[] => {
  const seen = new Set<string>();
  return names.filter((name) => seen.has(name) || (seen.add(name), false));
};

/** Every Job has finished or is gone: none lives on that no session knows. */
const noJobLeft = async (fleet: ChaosFleet): Promise<void> => {
  const until = performance.now() + leftoverMs;
  for (;;) {
    const live = (await fleet.jobs()).filter(
      ({ status }) =>
        !status?.conditions?.some(
          ({ type, status: holds }) => ['Complete', 'Failed'].includes(type) && holds === 'True',
        ),
    );
    if (live.length === 0) return;
    if (performance.now() > until) expect(live.map(({ metadata }) => metadata?.name)).toEqual([]);
    await sleep(500);
  }
};
