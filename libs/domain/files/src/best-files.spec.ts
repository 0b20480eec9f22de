import { readFileSync } from 'node:fs';
import type { CycleRecord, SessionFile } from '@fleet/contracts/sessions';
import type { BestFileScoring, FileCategory } from '@fleet/knowledge-model';
import {
  aCycle,
  aDecision,
  aResult,
  cpuMillisecondsOf,
  mapFile,
  projectRules,
  dataFile,
  modelFile,
} from '@fleet/testing';
import { load } from 'js-yaml';
import { bestFiles, categorise, rankFiles } from './index';

const read = (name: string): unknown => load(readFileSync(`knowledge/${name}.yaml`, 'utf8'));
const { categories } = read('file_categories') as { categories: readonly FileCategory[] };
const { best_files: scoring } = read('metrics') as { best_files: Record<string, BestFileScoring> };

const rules = projectRules();

const model = (path: string, cycle: number, program?: string, ligandCodes: readonly string[] = []): SessionFile => ({
  ...modelFile(path, { ligandCodes }),
  cycle,
  ...(program === undefined ? {} : { program }),
});

const cycle = (
  number: number,
  program: string,
  inputs: readonly SessionFile[],
  outputs: readonly SessionFile[],
  metrics: Record<string, number> = {},
): CycleRecord =>
  aCycle({
    cycle: number,
    decision: aDecision({ program, inputs: inputs.map(({ path }) => ({ slot: 'model', path })) }),
    result: aResult({ outputs, metrics }),
  });

const best = (cycles: readonly CycleRecord[], submitted: readonly SessionFile[] = []) => {
  const files = [...submitted, ...cycles.flatMap(({ result }) => result?.outputs ?? [])];
  return bestFiles({ categorised: categorise(files, categories), cycles, scoring, rules });
};

const start = model('/in/start.pdb', 0);
const refined1 = model('/c2/refine_001_001.pdb', 2, 'phenix.refine');
const refined2 = model('/c3/refine_002_001.pdb', 3, 'phenix.refine');

it('scores a refined model by stage and R-free: 100 points and 40 from R-free 0.40 down to 0.20', () => {
  const found = best([cycle(2, 'phenix.refine', [start], [refined1], { r_free: 0.3 })], [start]).get('model');
  expect(found).toMatchObject({ file: refined1, score: 120, stage: 'refined' });
  expect(found?.parts).toEqual([
    { name: 'refined', points: 100 },
    { name: 'r_free', points: expect.closeTo(20, 6) as number },
  ]);
});

describe('a refined model with a geometry worse than where its refinement began', () => {
  const began = { start_ramachandran_favored: 88.11, start_clashscore: 6.85 };
  const torn = { ...began, map_cc: 0.82, ramachandran_favored: 71.4, clashscore: 31.7 };
  const two = (first: Record<string, number>, second: Record<string, number>): unknown => {
    const refined = cycle(2, 'phenix.refine', [start], [refined1], first);
    return best([refined, cycle(3, 'phenix.refine', [refined1], [refined2], second)], [start]).get('model')?.file;
  };

  it('comes after one that keeps it, also beyond the ranges in which points are given', () => {
    const intact = { ...began, map_cc: 0.6, ramachandran_favored: 80, clashscore: 20 };
    expect([two(torn, intact), two(intact, torn)]).toEqual([refined2, refined1]);
  });

  it('comes before the model that it was made of, and its score says what it lost', () => {
    const found = best([cycle(2, 'phenix.refine', [start], [refined1], torn)], [start]).get('model');
    expect(found).toMatchObject({ file: refined1, score: 99 });
    expect(found?.parts.at(-1)).toEqual({ name: 'geometry', points: expect.closeTo(-28, 6) as number });
  });

  it('loses nothing without initial values: another model that was never validated does not come before it', () => {
    const built = cycle(2, 'phenix.refine', [start], [refined1], { r_free: 0.27 });
    const again = cycle(3, 'phenix.refine', [start], [refined2], { r_free: 0.26, clashscore: 60 });
    expect(best([built, again], [start]).get('model')?.file).toBe(refined2);
  });

  it('is still the better one where the other is far from the data', () => {
    const far = { ...began, r_free: 0.4, clashscore: 5 };
    expect(two(far, { r_free: 0.25, clashscore: 14 })).toBe(refined2);
  });
});

it('keeps the better of two refined models, even when it is the older', () => {
  const cycles = [
    cycle(2, 'phenix.refine', [start], [refined1], { r_free: 0.25 }),
    cycle(3, 'phenix.refine', [refined1], [refined2], { r_free: 0.27 }),
  ];
  expect(best(cycles, [start]).get('model')?.file).toBe(refined1);
});

it('uses the better fit if both values are beyond the range of points', () => {
  const fits = (first: Record<string, number>, second: Record<string, number>) => {
    const cycles = [
      cycle(2, 'phenix.refine', [start], [refined1], first),
      cycle(3, 'phenix.refine', [start], [refined2], second),
    ];
    return best(cycles).get('model')?.file;
  };
  expect(fits({ r_free: 0.157 }, { r_free: 0.186 })).toBe(refined1);
  expect(fits({ r_free: 0.186 }, { r_free: 0.157 })).toBe(refined2);
  expect(fits({ r_free: 0.45 }, {})).toBe(refined1);
  expect(fits({}, { r_free: 0.45 })).toBe(refined2);
  expect(fits({}, {})).toBe(refined2);
});

it('prefers the newer of two equals', () => {
  const cycles = [
    cycle(2, 'phenix.refine', [start], [refined1], { r_free: 0.15 }),
    cycle(3, 'phenix.refine', [refined1], [refined2], { r_free: 0.14 }),
  ];
  expect(best(cycles).get('model')?.file).toBe(refined2);
});

it('gives a half map only the 10 points of a half map, though it is also a map', () => {
  const halves = ['/in/half_map_1.mrc', '/in/half_map_2.mrc'].map(mapFile);
  expect(best([], halves).get('map')).toMatchObject({ stage: 'half_map', score: 10 });
  expect(best([], [...halves, mapFile('/in/whole.mrc')]).get('map')).toMatchObject({
    stage: 'full_map_of_halves',
    score: 55,
  });
});

it('uses the full map on the grid of the half maps, whatever the order', () => {
  const foreign = mapFile('/in/another_box.mrc');
  const other = { ...foreign, facts: { ...foreign.facts, map: { grid: [64, 64, 64] as const, mode: 2, voxel: 1.5 } } };
  const halves = ['/in/half_map_1.mrc', '/in/half_map_2.mrc'].map(mapFile);
  expect(best([], [other, ...halves, mapFile('/in/whole.mrc')]).get('map')?.file.path).toBe('/in/whole.mrc');
  expect(best([], [other, mapFile('/in/whole.mrc')]).get('map')?.file.path).toBe('/in/another_box.mrc');
});

describe('models with a ligand', () => {
  const merged = model('/c4/refine_001_001_with_ligand.pdb', 4, 'phenix.pdbtools', ['NUT']);
  const refinedWithLigand = model('/c5/refine_002_001.pdb', 5, 'phenix.refine', ['NUT']);
  const history = [
    cycle(2, 'phenix.refine', [start], [refined1], { r_free: 0.27 }),
    cycle(4, 'phenix.pdbtools', [refined1], [merged]),
  ];

  it('prefers the merged model to the refined one that it was made from', () => {
    expect(best(history).get('model')?.file).toBe(merged);
  });

  it('prefers the refined merged model, even if its R-free got a little worse', () => {
    const cycles = [...history, cycle(5, 'phenix.refine', [merged], [refinedWithLigand], { r_free: 0.28 })];
    expect(best(cycles).get('model')).toMatchObject({ file: refinedWithLigand, stage: 'with_ligand' });
  });

  it('lose the points of the stage when the ligand is lost', () => {
    const lost = model('/c5/refine_002_001.pdb', 5, 'phenix.refine');
    const cycles = [...history, cycle(5, 'phenix.refine', [merged], [lost], { r_free: 0.28 })];
    const files = categorise([refined1, merged, lost], categories);
    const scores = rankFiles({ categorised: files, cycles, scoring, rules }).ranked.get('model') ?? [];
    expect(scores.find(({ file }) => file === lost)?.stage).toBe('refined');
  });
});

it('counts a validation for the model that it validated', () => {
  const cycles = [
    cycle(2, 'phenix.refine', [start], [refined1], { r_free: 0.3 }),
    cycle(3, 'phenix.molprobity', [refined1], [], { clashscore: 8 }),
  ];
  expect(best(cycles).get('model')?.score).toBeCloseTo(120 + 6);
});

describe('a model that was refined after a validation', () => {
  const names = [2, 3, 5, 6].map((number) => model(`/c${number}/refine_00${number}_001.pdb`, number, 'phenix.refine'));
  const [first, validated, second, third] = names as [SessionFile, SessionFile, SessionFile, SessionFile];
  const until = (...r: readonly [number, number]): readonly CycleRecord[] => [
    cycle(2, 'phenix.refine', [start], [first], { r_free: 0.31 }),
    cycle(3, 'phenix.refine', [first], [validated], { r_free: 0.3 }),
    cycle(4, 'phenix.molprobity', [validated], [], { clashscore: 3 }),
    cycle(5, 'phenix.refine', [validated], [second], { r_free: r[0] }),
    cycle(6, 'phenix.refine', [second], [third], { r_free: r[1] }),
  ];
  const bestOf = (cycles: readonly CycleRecord[]): SessionFile | undefined => best(cycles, [start]).get('model')?.file;

  it('is the best if it fits better, although its clashes were not measured', () => {
    expect(bestOf(until(0.28, 0.27))).toBe(third);
    expect(bestOf(until(0.27, 0.28))).toBe(second);
    expect(bestOf(until(0.31, 0.32))).toBe(validated);
  });

  it('stays the best when it is validated in turn, with a few more clashes', () => {
    expect(bestOf([...until(0.28, 0.27), cycle(7, 'phenix.molprobity', [third], [], { clashscore: 3.5 })])).toBe(third);
  });
});

describe('geometry versus fit', () => {
  type Numbers = Readonly<Record<string, number>>;
  const chosen = (program: string, ...runs: readonly Numbers[]): number => {
    const models = runs.map((_, i) => model(`/c${i + 1}/m_${i + 1}.pdb`, i + 1, program));
    const cycles = models.map((made, i) => cycle(i + 1, program, [models[i - 1] ?? start], [made], runs[i] ?? {}));
    return best(cycles, [start]).get('model')?.file.cycle ?? 0;
  };
  const first = { map_cc: 0.7311, clashscore: 2.52, ramachandran_favored: 90.81 };

  it('never outweighs a correlation that fell, if it was good before (em_3j6b_9 of scripts/real-runs/results.md)', () => {
    const later = [
      { map_cc: 0.6953, clashscore: 1.44, ramachandran_favored: 92.43 },
      { map_cc: 0.6949, clashscore: 1.44, ramachandran_favored: 91.89 },
    ];
    expect(chosen('phenix.real_space_refine', first, ...later)).toBe(1);
  });

  it('outweighs a correlation gained at its expense', () => {
    const torn = { map_cc: 0.82, clashscore: 31.7, ramachandran_favored: 71.35 };
    expect(chosen('phenix.real_space_refine', first, torn)).toBe(1);
  });

  it('lets a better correlation win if the additional clashes stay within what is good', () => {
    expect(chosen('phenix.real_space_refine', first, { ...first, map_cc: 0.75, clashscore: 4.8 })).toBe(2);
  });

  it.each([
    ['above the range', 0.87, 0.9],
    ['below the range', 0.3, 0.4],
  ])('is equal if the correlation is %s: the better correlation wins', (_, lower, higher) => {
    expect(chosen('phenix.real_space_refine', { ...first, map_cc: higher }, { ...first, map_cc: lower })).toBe(1);
    expect(chosen('phenix.real_space_refine', { ...first, map_cc: lower }, { ...first, map_cc: higher })).toBe(2);
  });

  it.each([
    ['fewer clashes at the same R-free', { r_free: 0.25, clashscore: 12 }, { r_free: 0.251, clashscore: 8 }, 2],
    ['a lower R-free at the same clashscore', { r_free: 0.25, clashscore: 12 }, { r_free: 0.26, clashscore: 12 }, 1],
    ['a lower R-free that costs much', { r_free: 0.25, clashscore: 6 }, { r_free: 0.245, clashscore: 12 }, 1],
    [
      'a much lower R-free that costs little',
      { r_free: 0.3824, clashscore: 6.77 },
      { r_free: 0.3658, clashscore: 10.83 },
      2,
    ],
    [
      'a lower R-free that costs clashes within what is good',
      { r_free: 0.25, clashscore: 1 },
      { r_free: 0.24, clashscore: 4.9 },
      2,
    ],
  ])('decides for crystals by %s', (_, one, other, number) => {
    expect(chosen('phenix.refine', one, other)).toBe(number);
  });
});

it('never scores outside the points of a metric', () => {
  const metrics = { r_free: 0.9, map_cc: -0.5, clashscore: 200, start_clashscore: 200 };
  const cycles = [cycle(2, 'phenix.refine', [start], [refined1], metrics)];
  expect(best(cycles).get('model')?.score).toBe(100);
});

it('scores a hundred cycles in milliseconds', () => {
  const models = Array.from({ length: 100 }, (_, i) => model(`/c${i}/refine_${i}.pdb`, i + 1, 'phenix.refine'));
  const cycles = models.map((file, i) =>
    cycle(i + 1, 'phenix.refine', models.slice(i - 1, i), [file], { r_free: 0.3 }),
  );
  expect(cpuMillisecondsOf(() => best(cycles))).toBeLessThan(200);
});

it('uses the map of the best model, not that of a worse refinement after it', () => {
  const maps = (path: string, number: number): SessionFile => ({
    ...dataFile({ observations: [], mapCoefficients: ['2FOFCWT,PH2FOFCWT'] }, path),
    cycle: number,
    program: 'phenix.refine',
  });
  const [good, worse] = [
    model('/c5/refine_001_001.pdb', 5, 'phenix.refine'),
    model('/c6/refine_002_001.pdb', 6, 'phenix.refine'),
  ];
  const found = best([
    cycle(5, 'phenix.refine', [], [good, maps('/c5/refine_001_001.mtz', 5)], { r_free: 0.24 }),
    cycle(6, 'phenix.refine', [good], [worse, maps('/c6/refine_002_001.mtz', 6)], { r_free: 0.29 }),
  ]);
  expect(found.get('model')?.file.path).toBe('/c5/refine_001_001.pdb');
  expect(found.get('map_coeffs_mtz')?.file.path).toBe('/c5/refine_001_001.mtz');
});

describe('a docked model', () => {
  const docked = model('/c2/placed_model.pdb', 2, 'phenix.dock_in_map');
  const refined = model('/c3/rsr_001_real_space_refined_000.pdb', 3, 'phenix.real_space_refine');
  const dock = cycle(2, 'phenix.dock_in_map', [start], [docked], { map_cc: 0.6 });

  it('has 60 points plus those of its correlation, and is better than the submitted one', () => {
    const found = best([dock], [start]).get('model');
    expect(found).toMatchObject({ file: docked, stage: 'docked' });
    expect(found?.parts).toEqual([
      { name: 'docked', points: 60 },
      { name: 'map_cc', points: expect.closeTo(5, 6) as number },
    ]);
  });

  it('is replaced with the result of its real-space refinement', () => {
    const refine = cycle(3, 'phenix.real_space_refine', [docked], [refined], { map_cc: 0.62 });
    expect(best([dock, refine], [start]).get('model')).toMatchObject({ file: refined, stage: 'rsr_output' });
  });
});

describe('the resolution of a map', () => {
  const coarse = mapFile('/in/coarse.ccp4');
  const fine = mapFile('/in/fine.ccp4');
  const measured = (number: number, map: SessionFile, resolution: number): CycleRecord =>
    cycle(number, 'phenix.mtriage', [map], [], { resolution });

  it('is worth up to 30 points, from 4 Å to 1 Å', () => {
    const found = best([measured(1, coarse, 3.4), measured(2, fine, 2.5)], [coarse, fine]).get('map');
    expect(found).toMatchObject({ file: fine, stage: 'full_map' });
    expect(found?.parts).toEqual([
      { name: 'full_map', points: 50 },
      { name: 'resolution', points: expect.closeTo(15, 6) as number },
    ]);
  });

  it.each([
    [4.5, 0],
    [0.9, 30],
  ])('at %f Å gives %d', (resolution, points) => {
    const found = best([measured(1, coarse, resolution)], [coarse]).get('map');
    expect(found?.parts.at(-1)).toEqual({ name: 'resolution', points });
  });
});
