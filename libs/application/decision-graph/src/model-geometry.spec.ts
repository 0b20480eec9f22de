import { outcomeOf } from '@fleet/session-report';
import { fitOf } from '@fleet/session-summary';
import {
  dataFile,
  mapFile,
  mapRefinements,
  modelFile,
  refinements,
  walkBench,
  words,
  type PlannedRun,
  type Walk,
} from '@fleet/testing';

type Numbers = Readonly<Record<string, number>>;

/** em_3j6b_9 as it was submitted. */
const start: Numbers = {
  start_ramachandran_favored: 88.11,
  start_ramachandran_outliers: 4.32,
  start_clashscore: 6.85,
  start_angles_rmsd: 1.37,
};
const badGeometry: Numbers = {
  ramachandran_favored: 71.35,
  ramachandran_outliers: 10.81,
  clashscore: 31.7,
  angles_rmsd: 1.8,
};
const goodGeometry: Numbers = {
  ramachandran_favored: 89.19,
  ramachandran_outliers: 3.78,
  clashscore: 5.41,
  angles_rmsd: 1.11,
};

const measuring =
  (plan: PlannedRun, more: Numbers): PlannedRun =>
  (decision, cycle) => {
    const run = plan(decision, cycle);
    return { ...run, metrics: { ...run.metrics, ...more } };
  };

const inMap = walkBench({
  runs: { mtriage: [{ metrics: { resolution: 3.2 } }], map_correlations: [{ metrics: { cc_mask: 0.7 } }] },
  installed: 'open',
});
const mapSession = (numbers: Numbers): Promise<Walk> =>
  inMap.walk([mapFile('/data/full_map.ccp4'), modelFile()], {
    real_space_refine: measuring(mapRefinements(0.82, 0.821), numbers),
  });

const crystal = walkBench({
  runs: {
    xtriage: [{ metrics: { resolution: 2.1, no_twinning_suspected: true } }],
    model_vs_data: [{ metrics: { r_work: 0.29, r_free: 0.3 } }],
  },
  installed: 'open',
});
const crystalSession = (numbers: Numbers, values: readonly number[] = [0.24, 0.239]): Promise<Walk> =>
  crystal.walk([dataFile(), modelFile()], { refine: measuring(refinements(...values), numbers) });

const outcome = ({ session, stop }: Walk, bench: typeof crystal): unknown => {
  const fit = fitOf(session, bench.ruleBook);
  return [outcomeOf({ status: 'completed', stop: { reason: stop.reason, afterCycle: 5 }, fit }), fit?.quality];
};

describe("a fit at the cost of the model's geometry", () => {
  it('is not a solved structure in a map, and the reason has the numbers before and after', async () => {
    const walked = await mapSession({ ...start, ...badGeometry });
    expect(words(walked)).toContain('STOP unsatisfactory');
    expect(walked.stop.detail).toContain(
      'the map correlation is 0.821, but the geometry of the model is not acceptable: Ramachandran favoured 71.35 % (88.11 % where refinement ' +
        'began), Ramachandran outliers 10.81 % (4.32 % where refinement began), Clashscore 31.70 (6.85 where refinement began).',
    );
    expect(outcome(walked, inMap)).toEqual(['unsatisfactory', 'needs improvement']);
  });

  it('is a solved one if the geometry stays good', async () => {
    const walked = await mapSession({ ...start, ...goodGeometry });
    expect(words(walked)).toContain('STOP converged');
    expect(outcome(walked, inMap)).toEqual(['solved', 'good']);
  });

  it('is reported beside the target if it began as bad', async () => {
    const walked = await mapSession({ ...start, ...goodGeometry, start_angles_rmsd: 2.9, angles_rmsd: 2.418 });
    expect(words(walked)).toContain('STOP converged');
    expect(walked.stop.detail).toContain(
      'The geometry of the model is outside of the usual limits: Ramachandran favoured 89.19 % (limit 95.00 %), RMS(angles) ' +
        '2.418° (limit 2.000°). The final model is validated.',
    );
  });

  it('is poor in absolute terms if no log has the initial values', async () => {
    const walked = await mapSession(badGeometry);
    expect(walked.stop).toMatchObject({ reason: 'unsatisfactory' });
    expect(walked.stop.detail).toContain(
      'Ramachandran favoured 71.35 % (poor beyond 90.00 %), Clashscore 31.70 (poor beyond 20.00).',
    );
  });

  it('counts in a crystal too, at the target, on the plateau and at the limit of refinements', async () => {
    for (const values of [[0.24], [0.29, 0.289, 0.288], [0.31, 0.3, 0.29]]) {
      const walked = await crystalSession({ ...start, ...badGeometry }, values);
      expect(walked.stop).toMatchObject({ reason: 'unsatisfactory' });
      expect(walked.stop.detail).toContain('Clashscore 31.70 (6.85 where refinement began)');
    }
  });

  it('is not the fit of the delivered model if that model keeps its geometry', async () => {
    const firstGood = (run: PlannedRun, bad: Numbers, good: Numbers): PlannedRun => {
      let runs = 0;
      return (decision, cycle) => measuring(run, (runs += 1) === 1 ? good : bad)(decision, cycle);
    };
    const inTheMap = await inMap.walk([mapFile('/data/full_map.ccp4'), modelFile()], {
      real_space_refine: firstGood(
        mapRefinements(0.66, 0.82, 0.83),
        { ...start, ...badGeometry },
        { ...start, ...goodGeometry },
      ),
    });
    expect(inTheMap.stop.reason).not.toBe('converged');
    expect(inTheMap.stop.detail).toContain('0.660');
    expect(fitOf(inTheMap.session, inMap.ruleBook)?.value).toBe(0.66);
    const inTheCrystal = await crystal.walk([dataFile(), modelFile()], {
      refine: firstGood(refinements(0.29, 0.24, 0.239), { ...start, ...badGeometry }, { ...start, ...goodGeometry }),
    });
    expect(inTheCrystal.stop.reason).not.toBe('converged');
    expect(inTheCrystal.stop.detail).toContain('0.290');
    expect(fitOf(inTheCrystal.session, crystal.ruleBook)?.value).toBe(0.29);
  });

  it.each<[string, Numbers, string]>([
    ['a clashscore that is acceptable', { start_clashscore: 1, clashscore: 9.9 }, 'converged'],
    ['one that is nearly so', { start_clashscore: 2.5, clashscore: 11.9 }, 'converged'],
    ['one beyond that, within the tolerance', { start_clashscore: 10.5, clashscore: 12.4 }, 'converged'],
    ['one beyond both', { start_clashscore: 10.5, clashscore: 12.6 }, 'unsatisfactory'],
    ['a poor one that was worse before', { start_clashscore: 60, clashscore: 30 }, 'converged'],
    ['a backbone that lost a residue', { start_ramachandran_favored: 95.5, ramachandran_favored: 93.8 }, 'converged'],
    ['a backbone that lost ten', { start_ramachandran_favored: 99, ramachandran_favored: 92.9 }, 'unsatisfactory'],
    ['angles within what PHENIX allows', { start_angles_rmsd: 0.7, angles_rmsd: 1.9 }, 'converged'],
    ['angles beyond it', { start_angles_rmsd: 0.7, angles_rmsd: 2.6 }, 'unsatisfactory'],
  ])('of %s', async (_, numbers, reason) => {
    expect((await crystalSession(numbers)).stop.reason).toBe(reason);
  });
});

it('states the next steps if the target is already met', async () => {
  const sharp = { xtriage: [{ metrics: { resolution: 1.23, no_twinning_suspected: true } }] };
  const walked = await crystal.walk([dataFile({ highResolution: 1.23 }), modelFile()], {
    ...sharp,
    refine: refinements(0.184, 0.16, 0.159),
  });
  const reasons = walked.session.cycles.map(({ decision }) => decision.reasoning);
  expect(reasons.join('\n')).toContain(
    'R-free 0.184 meets the target 0.220; data to 1.23 Å determine anisotropic B values too',
  );
  expect(reasons.join('\n')).not.toContain('R-free 0.184 is above the target');
});

it.each([
  [2.9, 2, true],
  [2.9, 1, false],
  [2.1, 2, false],
])('restrains copies to each other at low resolution: %d Å, %d copies: %s', async (resolution, n_copies, isGiven) => {
  const walked = await crystal.walk([dataFile({ highResolution: resolution }), modelFile()], {
    xtriage: [{ metrics: { resolution, n_copies, no_twinning_suspected: true } }],
    refine: refinements(0.26),
  });
  const argv = walked.session.cycles.find(({ decision }) => decision.program === 'phenix.refine')?.decision.argv ?? [];
  expect(argv.includes('refinement.pdb_interpretation.ncs_search.enabled=True')).toBe(isGiven);
});
