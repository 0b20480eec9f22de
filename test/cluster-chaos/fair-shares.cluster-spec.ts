import { readResult } from '@fleet/attempt-runner';
import type { Priority } from '@fleet/contracts/launches';
import type { Session } from '@fleet/contracts/sessions';
import { aRequest } from '@fleet/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { cluster } from '../cluster-e2e/cluster-ground';
import { maxAtOnce } from '../cluster-e2e/max-at-once';
import { ChaosFleet } from './chaos-fleet';
import { SlotDiary, type Turn } from './slot-diary';

const slots = 12;
const cycles = 2;
/** How long a stand-in program takes, in milliseconds: from, to. */
const programMs = [1_500, 3_000] as const;
/** While the longest program runs, each slot comes free at most so often: as many ends as one program takes. */
const endsOfOneProgram = slots * (programMs[1] / programMs[0]);
/** All of them at once, the largest first; its sessions have every slot when the others come. */
const sizes = { mx60: 60, mx12: 12, mx6: 6, mx3: 3 } as const;
type Proposal = keyof typeof sizes;
const proposals = Object.keys(sizes) as Proposal[];

/** On the machine of a whole test run. */
const withinMs = 600_000;

/** What happened. */
interface ShareOutcome {
  readonly turns: readonly Turn[];
  readonly sessions: readonly Session[];
  readonly ids: Readonly<Record<Proposal, readonly string[]>>;
  readonly live: readonly string[];
  readonly mostPlaces: number;
  readonly left: { readonly places: number; readonly waiting: number };
  /** Programs of the smallest proposal when it had all slots for itself. */
  readonly aloneMs: number;
  readonly besideOthersMs: number;
}

/**
 * Three executors over the real API server, each of which is killed once, and twelve slots. Programs are stand-ins on kwok's nodes
 * (SIMULATED) that take their time; Jobs, places and the line are those of an installation.
 * @needs cluster-parts
 */
describe('twelve slots for proposals of 60, 12, 6 and 3 sessions', () => {
  let fleet: ChaosFleet;
  let diary: SlotDiary | undefined;
  let seen: ShareOutcome;

  beforeAll(async () => {
    const kubeconfig = process.env.KUBECONFIG ?? '';
    if (kubeconfig === '') throw new Error('KUBECONFIG is not set');
    await cluster('start', 'kwok');
    fleet = await ChaosFleet.start(kubeconfig, {
      cycles,
      executors: 3,
      nodes: 3,
      programMs,
      watch: true,
      relistSeconds: 2,
      maxRunning: slots,
      rate: [50, 100],
    });
    diary = new SlotDiary(fleet.ground.servers.databaseUrl);
    seen = await shareOut(diary);
    report(seen);
  }, withinMs + 180_000);
  afterAll(async () => {
    if (diary === undefined) return; // it did not start, and has ended what it had
    await diary.stop();
    await fleet.end(process.env.FLEET_TEST_CHAOS_LOGS);
  });

  const submit = (proposal: string, count: number, priority: Priority = 'standard'): Promise<readonly string[]> =>
    fleet.submitAll(Array.from({ length: count }, () => aRequest({ proposal, priority })));

  const until = async <T>(what: string, look: () => T | undefined | Promise<T | undefined>): Promise<T> => {
    const deadline = Date.now() + withinMs;
    for (;;) {
      const found = await look();
      if (found !== undefined) return found;
      if (Date.now() > deadline) throw new Error(`not seen within ${String(withinMs)} ms: ${what}`);
      await sleep(100);
    }
  };

  const ended = (ids: readonly string[]): Promise<readonly Session[]> =>
    until('all sessions ended', async () => {
      const sessions = await fleet.sessions(ids);
      return sessions.every(({ status }) => status !== 'running') ? sessions : undefined;
    });

  /** Kills an executor that is up, submits a live session, and waits for the place of its first program. */
  const killAndGoLive = async (index: number, places: SlotDiary): Promise<string> => {
    await until('an executor that can be killed', async () => (await fleet.executors[index]?.kill()) || undefined);
    const [live = ''] = await submit('visit', 1, 'live');
    return until(`a place for live session ${live}`, () => (places.hasPlace(live) ? live : undefined));
  };

  const shareOut = async (places: SlotDiary): Promise<ShareOutcome> => {
    const begun = Date.now();
    const alone = await ended(await submit('alone', sizes.mx3));
    const mx60 = await submit('mx60', sizes.mx60);
    await until('every slot is taken', () => places.mostPlaces >= slots || undefined);
    const mx12 = await submit('mx12', sizes.mx12);
    const mx6 = await submit('mx6', sizes.mx6);
    const joined = Date.now();
    const ids = { mx60, mx12, mx6, mx3: await submit('mx3', sizes.mx3) };
    const live: string[] = [];
    for (const index of fleet.executors.keys()) live.push(await killAndGoLive(index, places));
    const sessions = await ended([...Object.values(ids).flat(), ...live]);
    await until('every place is given back', async () => (await places.left()).places === 0 || undefined);
    return {
      turns: places.turns(),
      sessions,
      ids,
      live,
      mostPlaces: places.mostPlaces,
      left: await places.left(),
      aloneMs: lastEnd(alone) - begun,
      besideOthersMs: lastEnd(sessions.filter(({ id }) => ids.mx3.includes(id))) - joined,
    };
  };

  const turnsOf = (ids: readonly string[]): readonly Turn[] =>
    seen.turns.filter(({ sessionId }) => ids.includes(sessionId));
  const seenIn = (ids: readonly string[]): ReadonlySet<string> =>
    new Set(turnsOf(ids).map(({ sessionId }) => sessionId));
  const mostFirst = (ids: readonly string[]): number => Math.max(...turnsOf(ids).map(({ othersFirst }) => othersFirst));

  it('are never exceeded, and all in use', () => {
    expect(seen.mostPlaces).toBe(slots);
    const folders = fleet.ground.kubelet.launches.map(({ folder }) => folder);
    expect(maxAtOnce(folders.map(readResult))).toBeLessThanOrEqual(slots);
  });

  it('are all there in the end, though each executor was killed; every session ended, no program ran twice', () => {
    expect(seen.left).toEqual({ places: 0, waiting: 0 });
    expect(seen.sessions.map(({ status }) => status)).toEqual(seen.sessions.map(() => 'completed'));
    const folders = fleet.ground.kubelet.launches.map(({ folder }) => folder);
    expect(new Set(folders).size).toBe(folders.length);
    expect(folders).toHaveLength((sizes.mx3 + seen.sessions.length) * cycles);
    expect(fleet.ground.kubelet.failures).toEqual([]);
  });

  it('let no program of the smallest wait for longer than one takes, so at most twice as long as alone', () => {
    expect(seenIn(seen.ids.mx3)).toEqual(new Set(seen.ids.mx3));
    expect(mostFirst(seen.ids.mx3)).toBeLessThanOrEqual(endsOfOneProgram);
  });

  // Each executor may be granting a slot while the live session joins the queue; without its priority it would wait for twelve.
  it('let a live session start before all that wait, but for grants on their way', () => {
    expect(seenIn(seen.live)).toEqual(new Set(seen.live));
    expect(mostFirst(seen.live)).toBeLessThanOrEqual(fleet.executors.length);
  });

  /** For whoever reads the log of the run: waits in seconds and in ends of programs. */
  const report = ({ ids, live, aloneMs, besideOthersMs }: ShareOutcome): void => {
    const seconds = (ms: number): string => (ms / 1000).toFixed(1);
    const lines = [...proposals.map((name) => [name, ids[name]] as const), ['live', live] as const].map(
      ([name, of]) => {
        const turns = turnsOf(of);
        const longest = Math.max(...turns.map(({ waitedMs }) => waitedMs));
        return `| ${name} | ${String(turns.length)} | ${seconds(longest)} | ${String(mostFirst(of))} |`;
      },
    );
    const smallest = `The smallest took ${seconds(besideOthersMs)} s beside the others, ${seconds(aloneMs)} s alone.`;
    process.stderr.write(
      ['| | programs | longest wait (s) | others first |', '| --- | --- | --- | --- |', ...lines, smallest, ''].join(
        '\n',
      ),
    );
  };
});

/** When the last program of these ended, in milliseconds since the epoch. */
const lastEnd = (sessions: readonly Session[]): number =>
  Math.max(
    ...sessions.flatMap(({ cycles: records }) =>
      records.flatMap(({ attempts }) => attempts.map(({ ending }) => Date.parse(ending?.endedAt ?? ''))),
    ),
  );
