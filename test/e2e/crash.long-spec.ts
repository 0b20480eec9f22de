import { useStarted } from '@fleet/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { anySeed, seeded } from '../loop/seeded-kills';
import { Standalone, testData } from './standalone';
import { outcomeOf, shapeOf } from './outcome';
import { programsAtWork, signalled } from './processes';

const moments = 20;

/** kill -9 of any one process, PostgreSQL, Redis and the running program included, at random moments of a real session. */
describe(`kill -9 at ${String(moments)} random moments`, () => {
  const standalone = useStarted('file', () =>
    Standalone.start([testData()], {
      FLEET_MAX_ATTEMPTS: '10',
      // A killed worker's step is free again after its lock: seconds here, so that 20 kills fit into minutes.
      FLEET_STEP_LOCK_MS: '2000',
      FLEET_SWEEP_RECHECK_MS: '3000',
    }),
  );

  const submitTiny = (): Promise<string> =>
    standalone.submit(testData('tiny_5e5z', '5e5z.mtz'), testData('tiny_5e5z', '5e5z.pdb'));
  const ended = async (id: string): Promise<boolean> =>
    !['running', 'cancelling'].includes((await outcomeOf(standalone, id)).status);

  const victims = (): number[] => [
    ...Object.values(standalone.state.services).map(({ pid }) => pid),
    standalone.state.redis.pid,
    standalone.state.postgres.pid,
    ...programsAtWork(standalone.state.workRoot).flatMap(({ supervisor, program }) => [supervisor.pid, program.pid]),
  ];

  const killAtRandom = seeded(anySeed(), async (dice) => {
    const undisturbed = await submitTiny();
    await standalone.phx('watch', undisturbed);
    const expected = shapeOf(await outcomeOf(standalone, undisturbed));

    const sessions: string[] = [];
    for (let killed = 0; killed < moments;) {
      const last = sessions.at(-1);
      if (last === undefined || (await ended(last))) sessions.push(await submitTiny());
      await sleep(dice.below(4_000));
      if (signalled(dice.of(victims()), 'SIGKILL')) killed += 1;
      await standalone.revive();
    }
    for (const id of sessions) {
      expect((await standalone.phx('watch', id)).code).toBe(0);
      const session = await outcomeOf(standalone, id);
      expect(shapeOf(session)).toEqual(expected);
      expect(session.cycles.map(({ cycle }) => cycle)).toEqual(session.cycles.map((_, index) => index + 1));
    }
  });

  it('ends every session as if nothing had happened, with no cycle twice', killAtRandom);
});
