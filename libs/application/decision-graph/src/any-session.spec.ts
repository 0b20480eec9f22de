import { problemWithCommand } from '@fleet/commands';
import type { ReplayedCycle } from '@fleet/contracts/results';
import { statusOfStopReason, type DecisionRecord, type Session, type SessionFile } from '@fleet/contracts/sessions';
import { sessionFiles } from '@fleet/files';
import {
  aCatalogue,
  aFile,
  dataFile,
  dictionaryFile,
  mapFile,
  modelFile,
  sequenceFile,
  walkBench,
  type FakeRun,
  type FakeRuns,
  type Walk,
} from '@fleet/testing';
import * as fc from 'fast-check';
import { replayer } from './replay-session';

const bench = walkBench({ installed: 'open' });

const submitted: readonly SessionFile[] = [
  dataFile(),
  dataFile({ observations: [] }, '/data/no_observations.mtz'),
  dataFile({ observations: [], mapCoefficients: ['FWT,PHWT'] }, '/data/coefficients.mtz'),
  aFile({ path: '/data/data.sca', facts: { format: 'scalepack' } }),
  modelFile(),
  modelFile('/data/AF-P12345.pdb', { predicted: true }),
  modelFile('/data/template.pdb'),
  modelFile('/data/NUT.pdb', { polymerResidues: 0, ligandCodes: ['NUT'], atoms: 40 }),
  dictionaryFile('NUT'),
  dictionaryFile('G2F'),
  sequenceFile(),
  mapFile('/data/full_map.ccp4'),
  mapFile('/data/half_map_1.ccp4'),
  mapFile('/data/half_map_2.ccp4'),
  aFile({ path: '/data/README' }),
];

/** Arbitrary outputs of a program, with distinct names for each cycle. */
const written = (cycle: number): readonly SessionFile[] => [
  modelFile(`/w/c${cycle}/refine_001_001.pdb`),
  modelFile(`/w/c${cycle}/ligand_fit_1.pdb`, { polymerResidues: 0, ligandCodes: ['NUT'] }),
  modelFile(`/w/c${cycle}/x_with_ligand.pdb`, { ligandCodes: ['NUT'] }),
  modelFile(`/w/c${cycle}/PHASER.1.pdb`),
  modelFile(`/w/c${cycle}/x_processed.pdb`),
  mapFile(`/w/c${cycle}/sharpened_map.ccp4`),
  dataFile({}, `/w/c${cycle}/refine_001_data.mtz`),
  dataFile({ observations: [], mapCoefficients: ['2FOFCWT,PH2FOFCWT'] }, `/w/c${cycle}/refine_001_001.mtz`),
];

const fraction = fc.double({ min: 0, max: 1, noNaN: true });
const aRun = fc.record({
  kind: fc.constantFrom('succeeds', 'succeeds', 'succeeds', 'succeeds', 'fails', 'lost'),
  metrics: fc.dictionary(
    fc.constantFrom('r_free', 'r_work', 'map_cc', 'cc_mask', 'twin_fraction', 'n_copies', 'n_residues', 'resolution'),
    fraction,
  ),
  outputs: fc.subarray([0, 1, 2, 3, 4, 5, 6, 7]),
});

const fakeRun = (run: { kind: string; metrics: Record<string, number>; outputs: number[] }, cycle: number): FakeRun => {
  if (run.kind === 'lost') return { lost: true };
  if (run.kind === 'fails') return { fails: 'Sorry: it failed' };
  return { metrics: run.metrics, outputs: written(cycle).filter((_file, index) => run.outputs.includes(index)) };
};

const everyProgram = (plan: readonly Parameters<typeof fakeRun>[0][]): FakeRuns =>
  Object.fromEntries(
    Object.keys(bench.ruleBook.programs).map((name) => [
      name.replace('phenix.', ''),
      (_decision: DecisionRecord, cycle: number): FakeRun => fakeRun(plan[cycle % plan.length]!, cycle),
    ]),
  );

/** Commands that the executor would refuse to launch. */
const refusedCommands = (session: Session): readonly (string | undefined)[] => {
  const files = sessionFiles(session);
  return session.cycles
    .map(({ decision: { program, argv } }) => problemWithCommand(argv, bench.ruleBook.programs[program]!, files))
    .filter((problem) => problem !== undefined);
};

/** Decisions that a replay of the stored record makes differently, while all programs are installed; their vendor is as it was. */
const unlikeRecorded = async ({ session, stop }: Walk): Promise<readonly ReplayedCycle[]> => {
  const stored = JSON.parse(JSON.stringify({ ...session, status: statusOfStopReason[stop.reason], stop })) as Session;
  const { cycles } = await replayer(bench.ruleBook)(stored, aCatalogue({ only: programNames }));
  expect(cycles.length).toBeGreaterThanOrEqual(session.cycles.length);
  return cycles.filter(({ result }) => result !== 'same' && (session.cycles.length > 0 || result === 'differs'));
};

const programNames =
  'xtriage model_vs_data phaser process_predicted_model refine ligandfit pdbtools polder molprobity mtriage dock_in_map real_space_refine map_correlations validation_cryoem map_symmetry map_sharpening map_to_model resolve_cryo_em autosol autobuild autobuild_denmod predict_and_build holton_geometry_validation'.split(
    ' ',
  );

const aProgram = fc.constantFrom(...programNames.map((name) => `phenix.${name}`));
/** At most half of the directives, all valid, most of them meaningless for the files. */
const someDirectives = fc.record(
  {
    stop_conditions: fc.record(
      {
        after_program: aProgram,
        start_with_program: aProgram,
        after_cycle: fc.integer({ min: 1, max: 9 }),
        max_refine_cycles: fc.integer({ min: 1, max: 4 }),
        skip_validation: fc.boolean(),
        r_free_target: fc.double({ min: 0.01, max: 1, noNaN: true }),
      },
      { requiredKeys: [] },
    ),
    workflow_preferences: fc.record(
      {
        skip_programs: fc.array(aProgram, { maxLength: 3 }),
        prefer_programs: fc.array(aProgram, { maxLength: 3 }),
        use_experimental_phasing: fc.boolean(),
        use_molecular_replacement: fc.boolean(),
        use_mr_sad: fc.boolean(),
        model_is_placed: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
    program_settings: fc.dictionary(
      fc.oneof(aProgram, fc.constant('default')),
      fc.dictionary(
        fc.constantFrom('resolution', 'selection', 'cycles', 'nonsense', 'generate_rfree_flags', 'quick'),
        fc.oneof(fc.boolean(), fc.integer(), fc.string()),
      ),
    ),
    file_preferences: fc.record(
      {
        model: fc.constantFrom('model.pdb', 'template.pdb', 'NUT.pdb'),
        data_mtz: fc.constantFrom('data.mtz', 'data.sca', 'coefficients.mtz'),
        exclude: fc.subarray(['model.pdb', 'data.mtz', 'seq.fasta']),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);

describe('any session, whatever its files, programs and results', () => {
  it('ends with a reason, has only commands that its programs accept, and replays identically', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.subarray([...submitted]),
        fc.array(aRun, { minLength: 1, maxLength: 8 }),
        fc.subarray(programNames, { minLength: 0 }),
        fc.record({
          experiment_type: fc.constantFrom('auto' as const, 'xray' as const, 'cryoem' as const),
          max_cycles: fc.integer({ min: 1, max: 25 }),
          max_refine_cycles: fc.integer({ min: 1, max: 4 }),
          analysis_only: fc.boolean(),
          abort_on_red_flags: fc.boolean(),
        }),
        someDirectives,
        async (inputs, plan, only, settings, directives) => {
          const walked = await bench.walk(inputs, everyProgram(plan), {
            settings,
            directives,
            catalogue: aCatalogue({ only }),
          });
          expect(Object.keys(statusOfStopReason)).toContain(walked.stop.reason);
          expect(walked.stop.detail).not.toBe('');
          expect(walked.stop.detail).not.toMatch(/undefined|NaN/);
          expect(walked.session.cycles.length).toBeLessThanOrEqual(settings.max_cycles);
          expect(refusedCommands(walked.session)).toEqual([]);
          expect(await unlikeRecorded(walked)).toEqual([]);
        },
      ),
      { numRuns: 150 },
    );
  }, 60_000);

  it('gets the same decision for the same record', async () => {
    const inputs = [dataFile(), modelFile(), dictionaryFile('NUT')];
    const once = await bench.walk(inputs, {}, { settings: { max_cycles: 6 } });
    const again = await bench.walk(inputs, {}, { settings: { max_cycles: 6 } });
    const commands = (walked: typeof once): unknown => walked.session.cycles.map(({ decision }) => decision.argv);
    expect(commands(again)).toEqual(commands(once));
  });
});
