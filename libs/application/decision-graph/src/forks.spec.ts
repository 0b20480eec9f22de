import type { Session } from '@fleet/contracts/sessions';
import { forkedWork } from '@fleet/files';
import { anId, dataFile, modelFile, refinements, walkBench, type FakeRuns } from '@fleet/testing';

const runs: FakeRuns = {
  xtriage: [{ metrics: { resolution: 2.1, no_twinning_suspected: true } }],
  phaser: [{ metrics: { tfz: 24.5 }, outputs: [modelFile('/work/p/PHASER.1.pdb')] }],
  refine: refinements(0.36, 0.31, 0.29),
};
const { walk, decide } = walkBench({ runs, installed: 'all' });

/** A session forked after one of its cycles, in its own folder. */
const forkOf = (session: Session, cycle: number): Session => {
  const id = anId();
  const folder = `/forks/${id}`;
  const { cycles, inputs } = forkedWork({ ...session, folder: '/work' }, cycle, folder, new Map());
  const position = { status: 'running', stage: 'deciding', cycle: cycle + 1, attempt: 1 } as const;
  return { ...session, ...position, id, folder, cycles, request: { ...session.request, inputs } };
};

it('a fork decides like the original session, on its own files', async () => {
  const { session } = await walk([dataFile(), modelFile('/data/model.pdb')]);
  expect(session.cycles.length).toBeGreaterThan(3);
  for (const { cycle, decision } of session.cycles.slice(1)) {
    const fork = forkOf(session, cycle - 1);
    const outcome = await decide(fork);
    expect(outcome).toMatchObject({
      decision: { argv: decision.argv.map((token) => token.replaceAll('/work/', `${fork.folder}/`)) },
    });
  }
});
