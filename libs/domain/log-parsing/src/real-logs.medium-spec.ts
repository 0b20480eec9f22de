import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AttemptEnding } from '@fleet/contracts/sessions';
import type { ErrorKnowledge, ProgramKnowledge } from '@fleet/knowledge-model';
import { load } from 'js-yaml';
import { failureOf, ProgramLogFormat, type LogReading } from './index';

const logFolder = (): string => {
  const folder = process.env.PHENIX_FLEET_TEST_LOGS;
  if (folder === undefined || folder === '') throw new Error('PHENIX_FLEET_TEST_LOGS is not set');
  return folder;
};

const errors = load(readFileSync('knowledge/errors.yaml', 'utf8')) as ErrorKnowledge;

/** Logs that a test has read, by path in the folder. */
const seen = new Set<string>();

const read = (program: string, path: string): LogReading => {
  seen.add(path);
  const knowledge = load(readFileSync(`knowledge/programs/${program}.yaml`, 'utf8')) as ProgramKnowledge;
  const reader = new ProgramLogFormat(knowledge, errors).open();
  reader.push(readFileSync(join(logFolder(), path)));
  return reader.end();
};

const metricsOf = (program: string, path: string): Record<string, unknown> =>
  Object.fromEntries(read(program, path).metrics.map(({ name, value }) => [name, value]));

const p9 = {
  resolution: 1.74434,
  completeness: 99.65,
  anomalous_resolution: 2.1,
  wilson_b: 18.34,
  space_group: 'I 4',
  n_copies: 1,
  l_test_mean: 0.49,
  l_test_z: 0.741,
  patterson_peak: 6.49,
  anomalous_measurability: 0.198,
  anomalous_measurability_avg: 0.1723,
  twin_law: '-k,-h,-l',
  twin_fraction: 0.008,
  no_twinning_suspected: true,
};
const betaBlip = {
  r_work: 0.3966,
  r_free: 0.4942,
  start_r_work: 0.4064,
  start_r_free: 0.488,
  bonds_rmsd: 0.009,
  angles_rmsd: 1.265,
  resolution: 3,
};
const esterase = {
  ramachandran_outliers: 0.8,
  ramachandran_favored: 96.54,
  rotamer_outliers: 0,
  cbeta_deviations: 0,
  clashscore: 0.36,
  bonds_rmsd: 0.0054,
  angles_rmsd: 0.89,
  molprobity_score: 0.86,
  resolution: 1.6,
  r_work: 0.237,
  r_free: 0.2603,
};

/** Numbers read manually from the logs. */
describe.each([
  ['xtriage', 'xtriage_1_p9', p9],
  ['refine', 'refine_5_beta_blip', betaBlip],
  ['molprobity', 'molprobity_4_esterase', esterase],
] as const)('%s %s', (program, name, expected) => {
  it("reads the program's metrics, not those of the report that the agent appended", () => {
    expect(metricsOf(program, `public-agent-corpus/agent/${name}.log`)).toEqual(expected);
  });

  it("gives the same without header and report, as shown in the agent's window", () => {
    expect(metricsOf(program, `public-agent-corpus/gui/${name}.log`)).toEqual(expected);
  });
});

const numbers = load(readFileSync(join(__dirname, 'fixtures/real-logs.yaml'), 'utf8')) as Record<
  string,
  Record<string, object>
>;

it.each(
  Object.entries(numbers).flatMap(([program, logs]) =>
    Object.entries(logs).map(([name, expected]) => [program, name, expected] as const),
  ),
)('%s %s', (program, name, expected) => {
  expect(metricsOf(program, `cctbx/${name}.log`)).toMatchObject(expected);
});

it.each([
  ['model_vs_data', 'errors/mvd_cell_mismatch'],
  ['molprobity', 'errors/molprobity_no_probe'],
  ['pdbtools', 'errors/pdbtools_no_file'],
  ['pdbtools', 'pdbtools'],
  ['pdbtools', 'workflow_tiny/02_shake'],
  ['phaser', 'unavailable_phaser'],
  ['polder', 'errors/polder_bad_selection'],
  ['refine', 'unavailable_refine'],
  ['xtriage', 'errors/xtriage_ambiguous'],
  ['xtriage', 'errors/xtriage_missing_file'],
  ['xtriage', 'errors/xtriage_no_data'],
])('%s %s contains no result, and none is read', (program, name) => {
  expect(metricsOf(program, `cctbx/${name}.log`)).toEqual({});
});

/** Every pattern that names a real log finds its value there. */
it.each(
  readdirSync('knowledge/programs').flatMap((file) => {
    const program = file.replace('.yaml', '');
    const { metrics } = load(readFileSync(`knowledge/programs/${file}`, 'utf8')) as ProgramKnowledge;
    return metrics.flatMap((pattern) =>
      pattern.log === undefined || pattern.log.startsWith('public:')
        ? []
        : [[program, pattern.id, pattern.log] as const],
    );
  }),
)('%s %s is found by %s', (program, id, path) => {
  const knowledge = load(readFileSync(`knowledge/programs/${program}.yaml`, 'utf8')) as ProgramKnowledge;
  const metrics = knowledge.metrics.filter((pattern) => pattern.id === id);
  const reader = new ProgramLogFormat({ name: knowledge.name, metrics }, errors).open();
  reader.push(readFileSync(join(logFolder(), path)));
  expect(reader.end().metrics.map(({ pattern }) => pattern)).toContain(id);
});

describe('failed runs', () => {
  const judge = (path: string, exitCode: number, program = 'phenix.xtriage') => {
    const ending: AttemptEnding = {
      kind: 'exited',
      exitCode,
      message: '',
      infrastructure: false,
      endedAt: '',
      durationMs: 0,
    };
    return failureOf({ program, ending, log: read('xtriage', path), missingOutputs: [] }, errors);
  };

  it.each([
    ['mvd_cell_mismatch', 'crystal_symmetry_mismatch'],
    ['xtriage_no_data', 'no_reflection_file'],
    ['xtriage_ambiguous', 'no_matching_data_labels'],
    ['polder_bad_selection', 'no_atoms_selected'],
    ['geomin_unknown_residue', 'unknown_residue'],
    ['molprobity_no_probe', 'validation_tools_missing'],
    ['xtriage_missing_file', 'no_reflection_file'],
    ['../unavailable_phaser', 'program_missing'],
    ['../unavailable_refine', 'program_missing'],
  ])('%s is recognised as %s', (name, known) => {
    expect(judge(join('cctbx/errors', `${name}.log`), 1)?.known).toBe(known);
  });

  it('no error of one program is found in the logs of the others', () => {
    const owned = errors.known.filter(({ programs }) => programs !== undefined);
    const others = [...seen].filter((path) => path.startsWith('cctbx/'));
    expect(others.length).toBeGreaterThan(20);
    for (const { id, programs = [] } of owned)
      for (const path of others)
        expect({ id, path, known: judge(path, 1, programs[0])?.known }).not.toMatchObject({ known: id });
  });

  it('an unknown error is reported in its own words', () => {
    const failure = judge('cctbx/errors/molprobity_bad_phil.log', 1);
    expect(failure).toMatchObject({ cause: "Can't find template Python script for Coot." });
    expect(failure?.known).toBeUndefined();
  });

  it.each([
    'errors/molprobity_unknown_residue',
    'errors/xtriage_many_arrays',
    'polder',
    'xtriage_twin',
    'workflow_xray/12_molprobity_final',
    'pdbtools',
    'workflow_tiny/02_shake',
    'errors/geomin_unknown',
    // By its exit code; the missing model makes it a failure.
    'errors/pdbtools_no_file',
  ])('%s succeeded', (name) => {
    expect(judge(`cctbx/${name}.log`, 0)).toBeUndefined();
  });
});

/** Logs of other programs than the 23, with descriptions. */
const foreign: Readonly<Record<string, string>> = {
  'cctbx/workflow_xray/02_perturb.log': 'phenix.dynamics, which made the start of a test',
  'cctbx/workflow_xray/09_find_peaks_holes.log': 'phenix.find_peaks_holes',
  'public-agent-corpus/work/sec17-sad__ai_agent_2.log': "the agent's own transcript",
};

describe('the folder of real logs', () => {
  it('contains no log that no test here has read, except those of other programs', () => {
    const all = readdirSync(logFolder(), { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.log'));
    expect(all.filter((path) => !seen.has(path)).toSorted()).toEqual(Object.keys(foreign).toSorted());
  });
});
