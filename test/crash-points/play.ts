import { isFault } from '@fleet/contracts/faults';
import { MortalProcess, ProcessDied, wordsOf, type CrashPoint, type PortCall } from '@fleet/testing';
import { Fleet } from './fleet';
import { World, type Installed, type Planted } from './world';

/** What somebody does, or the fleet by itself. Where the process died meanwhile, or could not answer, it is done again. */
export type Act = (fleet: Fleet) => Promise<void>;

export interface Path {
  readonly name: string;
  /** At how many points a process may die, and a call may fail. They change with what steps call; a path that is not walked shows by them. */
  readonly deaths: number;
  readonly failures: number;
  /** What there is before: nothing happens to the process that does it. */
  readonly before?: readonly Act[];
  readonly acts: readonly Act[];
  /** How it continues, as other paths do: without trouble. */
  readonly after?: readonly Act[];
  /** Also played with the queues lost together with the process. */
  readonly queuesMayBeLost?: true;
  readonly planted?: Planted;
}

interface Circumstances {
  /** What happens to the first process, to the one after it, and so on. */
  readonly points?: readonly CrashPoint[];
  /** The queues are lost with a process that dies. */
  readonly queuesAreLost?: boolean;
}

interface Played {
  readonly outcome: readonly string[];
  /** The calls of each process, in the order of their lives. */
  readonly lives: readonly (readonly PortCall[])[];
}

/** After so many milliseconds nothing is a dead process's any more. */
const claimedMs = 31_000;
/** Often enough: one try fails for each point. */
const mostTries = 5;

/** Goes the path from its beginning to its end in a world of its own. */
export const play = async (path: Path, installed: Installed, circumstances: Circumstances = {}): Promise<Played> => {
  const world = new World(installed, path.planted);
  await world.store.catalogues.publish({
    backend: 'local',
    probedAt: '2026-11-21T08:00:00.000Z',
    programs: world.programs.programs,
  });
  const undisturbed = (): Fleet => new Fleet(world, new MortalProcess());
  for (const act of path.before ?? []) await act(undisturbed());
  const lives: MortalProcess[] = [];
  const start = (): Fleet => {
    const life = new MortalProcess(circumstances.points?.[lives.length]);
    lives.push(life);
    return new Fleet(world, life);
  };
  let fleet = start();
  /** Whether it was done. */
  const attempt = async (act: Act): Promise<boolean> => {
    try {
      await fleet.life.live(() => act(fleet));
      return true;
    } catch (error) {
      if (error instanceof ProcessDied) {
        if (circumstances.queuesAreLost === true) world.queues.empty();
        fleet = start();
      } else if (!isUnavailable(error)) throw error;
      return false;
    }
  };
  for (const act of path.acts) {
    let tries = 1;
    while (!(await attempt(act))) if ((tries += 1) > mostTries) throw new Error('it is never done');
  }
  for (const act of path.after ?? []) await act(undisturbed());
  // Places that were left behind are given back by whoever looks next, and files that are owed are written.
  const last = undisturbed();
  await last.executor.pruner.prune();
  world.clock.forward(claimedMs);
  while (await last.follower.look());
  return { outcome: await world.outcome(), lives: lives.map(({ calls }) => calls) };
};

const isUnavailable = (error: unknown): boolean => isFault(error) && error.kind === 'transient';

/** What is wrong after that trouble, in lines; none where the outcome is the undisturbed one. */
export const wrongAfter = async (
  path: Path,
  installed: Installed,
  circumstances: Circumstances,
  undisturbed: readonly string[],
): Promise<readonly string[]> => {
  const { points = [], queuesAreLost = false } = circumstances;
  const where = `${path.name}: ${points.map(wordsOf).join(', then ')}${queuesAreLost ? ', queues lost' : ''}`;
  try {
    const { outcome, lives } = await play(path, installed, circumstances);
    const at = points.map(({ call }, index) => lives[index]?.[call - 1]?.what ?? 'nothing').join(', ');
    return differing(undisturbed, outcome).map((line) => `${where} (${at}): ${line}`);
  } catch (error) {
    return [`${where}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`];
  }
};

/** Every line that is not as often, or not in the order, as it was. */
const differing = (expected: readonly string[], found: readonly string[]): readonly string[] => {
  const missing = without(expected, found).map((line) => `- ${line}`);
  const more = without(found, expected).map((line) => `+ ${line}`);
  if (missing.length > 0 || more.length > 0) return [...missing, ...more];
  return expected.every((line, index) => line === found[index]) ? [] : ['the order differs'];
};

const without = (lines: readonly string[], others: readonly string[]): readonly string[] => {
  const left = [...others];
  return lines.filter((line) => {
    const index = left.indexOf(line);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
};
