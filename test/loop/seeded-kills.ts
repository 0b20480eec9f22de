import { setTimeout as sleep } from 'node:timers/promises';
import { Dice } from '../fuzz/mutations';

/** A process that can be killed and restarts. */
export interface Victim {
  readonly name: string;
  /** Resolves when it is dead; waits where it has not come back yet from the kill before. */
  kill(): Promise<unknown>;
}

/** A kill, and how far the work has come then. */
interface Kill {
  readonly at: number;
  readonly victim: Victim;
}

/** Runs what a seed decides: FLEET_TEST_SEED, or the one given. What it throws names the seed. */
export const seeded =
  (otherwise: number, run: (dice: Dice) => Promise<void>): (() => Promise<void>) =>
  async () => {
    const seed = Number(process.env['FLEET_TEST_SEED'] ?? otherwise);
    try {
      await run(new Dice(seed));
    } catch (error) {
      throw new Error(`FLEET_TEST_SEED=${String(seed)}: ${String(error)}`, { cause: error });
    }
  };

/** A seed that no run had before: the kills of each run differ. */
export const anySeed = (): number => Math.floor(Math.random() * 1e9);

/** Kills at moments that the dice choose before `end`, in the order of their moments: each victim in turn, beginning with any. */
export const someKills = (dice: Dice, victims: readonly Victim[], count: number, end: number): readonly Kill[] => {
  const first = dice.below(victims.length);
  return Array.from({ length: count }, () => dice.below(end))
    .sort((a, b) => a - b)
    .flatMap((at, turn) => {
      const victim = victims[(first + turn) % victims.length];
      return victim === undefined ? [] : [{ at, victim }];
    });
};

/** Without a step of the work for so long, it never continues. */
const hungMs = 120_000;

/**
 * Waits until the work has come as far as the next kill wants it, and kills.
 * @param progress how far it has come; what it throws while Redis is away counts as nothing
 * @throws Error that names the kill that was never reached
 */
export const killAlong = async (kills: readonly Kill[], progress: () => Promise<number>): Promise<void> => {
  for (const [index, { at, victim }] of kills.entries()) {
    const until = performance.now() + hungMs;
    while ((await progress().catch(() => -1)) < at) {
      if (performance.now() > until)
        throw new Error(`kill ${String(index + 1)} was never reached: ${victim.name} at ${String(at)}`);
      await sleep(5);
    }
    await victim.kill();
  }
};
