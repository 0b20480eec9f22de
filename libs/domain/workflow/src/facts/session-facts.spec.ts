import type { SessionSettings } from '@fleet/contracts/service';
import type { CycleRecord } from '@fleet/contracts/sessions';
import {
  dataFile,
  dictionaryFile,
  factsBench,
  inMap,
  mapFile,
  modelFile,
  ran,
  sequenceFile,
  type PastRun,
} from '@fleet/testing';

const { factsOf } = factsBench();

type Sheet = ReturnType<typeof factsOf>;

const inputs = [dataFile(), modelFile(), sequenceFile()];
const refined = (cycle: number, r_free: number, more: PastRun = {}): CycleRecord =>
  ran(cycle, 'refine', { metrics: { r_free }, ...more });

describe('the facts of the files', () => {
  it('count the files of each category, and report anomalous pairs', () => {
    const pairs = dataFile({ observations: [{ labels: 'I(+),I(-)', kind: 'intensity', anomalous: true }] });
    expect(factsOf(inputs)).toMatchObject({ 'files.data_mtz': 1, 'files.model': 1, anomalous_arrays: false });
    expect(factsOf([pairs])).toMatchObject({ 'files.model': 0, anomalous_arrays: true, free_flags_locked: true });
  });

  it('report maps beside reflection data', () => {
    const map = mapFile('/data/map.ccp4');
    expect(factsOf([dataFile(), map])).toMatchObject({ extra_maps: true, experiment_changed: false });
    expect(factsOf([dataFile()])).toMatchObject({ extra_maps: false, experiment_changed: false });
    expect(factsOf([map])).toMatchObject({ extra_maps: false, experiment_changed: false, experiment: 'cryoem' });
  });

  it("report files of another experiment than the session's", () => {
    expect(factsOf([mapFile('/data/map.ccp4')], { cycles: [ran(1, 'xtriage')] }).experiment_changed).toBe(true);
    expect(factsOf([dataFile()], { cycles: [inMap(ran(1, 'mtriage'))] }).experiment_changed).toBe(true);
    expect(factsOf([modelFile()], { cycles: [ran(1, 'xtriage')] }).experiment_changed).toBe(false);
  });

  it('report an ambiguous pair of half maps, unless the client has chosen one', () => {
    const halves = ['a_half_map_1', 'a_half_map_2', 'b_half_map_1', 'b_half_map_2'].map((name) =>
      mapFile(`/data/${name}.ccp4`),
    );
    const files = { bestFiles: { half_map: ['/data/a_half_map_1.ccp4', '/data/a_half_map_2.ccp4'] } };
    expect(factsOf(halves)).toMatchObject({ 'files.half_map': 4, half_maps_unclear: true });
    expect(factsOf(halves, { steering: files }).half_maps_unclear).toBe(false);
    expect(factsOf(halves.slice(0, 2)).half_maps_unclear).toBe(false);
  });
});

describe('the facts of the history', () => {
  const cycles = [ran(1, 'xtriage'), ran(2, 'refine', { fails: 'it broke' })];

  it('are the number of cycles, and the outcome of the last', () => {
    expect(factsOf(inputs)).toMatchObject({ cycles: 0, last_program: undefined, last_failed: false });
    expect(factsOf(inputs, { cycles })).toMatchObject({ cycles: 2, last_program: 'phenix.refine', last_failed: true });
    expect(factsOf(inputs, { cycles: cycles.slice(0, 1) })).toMatchObject({ last_failed: false });
  });

  it('count cycles that only the client has', () => {
    expect(factsOf(inputs, { cycles, steering: { cyclesDone: 9 } }).cycles).toBe(9);
    expect(factsOf(inputs, { cycles, steering: { cyclesDone: 1 } }).cycles).toBe(2);
  });

  it.each([
    [undefined, 2, false],
    [0, 0, true],
    [2, 2, true],
    [1, 2, true],
    [0, 2, false],
  ])(
    'after advice that came after cycle %s, of %i cycles: whether it is still to be followed',
    (adviceChangedAfter, count, changed) => {
      const steering = adviceChangedAfter === undefined ? {} : { adviceChangedAfter };
      expect(factsOf(inputs, { cycles: cycles.slice(0, count), steering }).advice_changed).toBe(changed);
    },
  );

  it('count the most frequent failure of the last ten cycles', () => {
    const failed = (cycle: number, why: string, lines: readonly string[] = []) =>
      ran(cycle, 'refine', { fails: why, errorLines: lines });
    const times = (...all: readonly CycleRecord[]): unknown => factsOf(inputs, { cycles: all }).repeated_failures;
    expect(times(ran(1, 'xtriage'))).toBe(0);
    expect(times(failed(1, 'a'), failed(2, 'b'), failed(3, 'a'))).toBe(2);
    expect(times(failed(1, 'x', ['same']), failed(2, 'y', ['same']))).toBe(2);
    expect(times(failed(1, 'a'), ran(2, 'polder', { fails: 'a' }))).toBe(1);
    const later = Array.from({ length: 9 }, (_, index) => ran(index + 3, 'xtriage'));
    expect(times(failed(1, 'a'), failed(2, 'a'), ...later)).toBe(1);
  });
});

describe('the resolution', () => {
  const cycles = [ran(1, 'xtriage', { metrics: { resolution: 2.1 } })];

  it('comes from the submitter, otherwise from the analysis, otherwise from the data file', () => {
    expect(factsOf(inputs, { cycles, settings: { resolution: 3 } }).resolution).toBe(3);
    expect(factsOf(inputs, { cycles }).resolution).toBe(2.1);
    expect(factsOf(inputs).resolution).toBe(1.8);
  });

  it.each([
    [{ default: { resolution: 2.5 } }, 2.5],
    [{ default: { resolution: 0 } }, 3],
    [{ default: { resolution: 'high' } }, 3],
    [{ 'phenix.refine': { resolution: 2.5 } }, 3],
  ])('is what directives for all programs say: %j', (program_settings, resolution) => {
    expect(factsOf(inputs, { settings: { resolution: 3 }, directives: { program_settings } }).resolution).toBe(
      resolution,
    );
  });
});

describe('the target', () => {
  const at = (resolution: number, settings: Partial<SessionSettings> = {}): Sheet =>
    factsOf(inputs, { settings: { resolution, ...settings } });

  it('is the acceptable value at the resolution, unless a setting overrides it', () => {
    expect([at(1.2).target, at(1.4).target]).toEqual([0.22, 0.229]);
    expect(Number(at(4).target)).toBeGreaterThan(0.3);
    expect(at(1.4, { r_free_target: 0.19 }).target).toBe(0.19);
    const directives = { stop_conditions: { r_free_target: 0.18 } };
    expect(factsOf(inputs, { settings: { r_free_target: 0.19 }, directives })).toMatchObject({
      target: 0.18,
      'directive.r_free_target': 0.18,
      'setting.r_free_target': 0.18,
    });
  });

  it('never rates a value that meets the requested target as poor', () => {
    const poor = Number(at(1.4).poor_limit);
    expect(at(1.4, { r_free_target: 0.19 }).poor_limit).toBe(poor);
    expect(at(1.4, { r_free_target: 0.45 }).poor_limit).toBe(0.45);
    const inTheMap = (map_cc_target: number): Sheet =>
      factsOf([mapFile('/data/m.ccp4')], { settings: { map_cc_target } });
    expect(inTheMap(0.05)).toMatchObject({ target: 0.05, poor_limit: 0.05 });
    expect(Number(inTheMap(0.95).poor_limit)).toBeLessThan(0.95);
  });
});

describe('the trend', () => {
  const trend = (...cycles: readonly CycleRecord[]): Sheet => {
    const facts = factsOf(inputs, { cycles });
    return Object.fromEntries(
      ['runs', 'value', 'best', 'gain', 'flat_runs'].map((name) => [name, facts[`trend.${name}`]]),
    );
  };

  it('is empty before the first refinement', () => {
    expect(trend(ran(1, 'xtriage'))).toEqual({
      runs: 0,
      value: undefined,
      best: undefined,
      gain: undefined,
      flat_runs: 0,
    });
  });

  it('counts the refinements since the last that gained at least half a percent', () => {
    expect(trend(refined(1, 0.3))).toMatchObject({ runs: 1, value: 0.3, best: 0.3, gain: undefined, flat_runs: 0 });
    const flat = trend(refined(1, 0.3), refined(2, 0.28), refined(3, 0.281), refined(4, 0.279));
    expect(flat).toMatchObject({ runs: 4, value: 0.279, best: 0.279, flat_runs: 2 });
    expect(flat['gain']).toBeCloseTo(0.002);
    expect(trend(refined(1, 0.3), refined(2, 0.32))).toMatchObject({ best: 0.3, value: 0.32, flat_runs: 1 });
  });

  it('starts again with a new model, and ignores failures', () => {
    expect(trend(refined(1, 0.3), ran(2, 'phaser'), refined(3, 0.4))).toMatchObject({ runs: 1, value: 0.4, best: 0.4 });
    expect(trend(refined(1, 0.3), refined(2, 0.2, { fails: 'it broke' }))).toMatchObject({ runs: 1, value: 0.3 });
  });

  it('of correlations rises from the initial value of the model', () => {
    const cycles = [
      ran(1, 'map_correlations', { metrics: { map_cc: 0.5, cc_mask: 0.5 } }),
      ran(2, 'real_space_refine', { metrics: { map_cc: 0.6, cc_mask: 0.6 } }),
      ran(3, 'real_space_refine', { metrics: { map_cc: 0.55, cc_mask: 0.55 } }),
    ].map(inMap);
    const facts = factsOf([mapFile('/data/m.ccp4'), modelFile()], { cycles });
    expect(facts).toMatchObject({ 'trend.runs': 2, 'trend.value': 0.55, 'trend.best': 0.6, 'trend.flat_runs': 1 });
    expect(facts['trend.gain']).toBeCloseTo(-0.05);
  });
});

describe('a component', () => {
  const nut = dictionaryFile('NUT');
  const holding = (path: string, ...ligandCodes: readonly string[]) => modelFile(path, { ligandCodes });

  it('is to be fitted if the model lacks it, the one that was submitted first', () => {
    expect(factsOf([...inputs, nut])).toMatchObject({ ligand_code: 'NUT', ligand_codes_missing: 1, model_ligands: 0 });
    expect(factsOf([...inputs, dictionaryFile('HOH')])).toMatchObject({
      ligand_code: undefined,
      ligand_codes_missing: 0,
    });
    const held = factsOf([dataFile(), holding('/data/m.pdb', 'NUT', 'MES'), nut]);
    expect(held).toMatchObject({ ligand_code: undefined, ligand_codes_missing: 0, model_ligands: 2 });
  });

  it('is no longer missing after it was fitted', () => {
    const fit = ran(2, 'ligandfit', { inputs: [{ slot: 'ligand', path: nut.path }] });
    expect(factsOf([...inputs, nut], { cycles: [refined(1, 0.25), fit] })).toMatchObject({
      ligand_codes_missing: 0,
      fitted_ligand_code: 'NUT',
    });
    const broken = ran(2, 'ligandfit', { inputs: [{ slot: 'ligand', path: nut.path }], fails: 'it broke' });
    expect(factsOf([...inputs, nut], { cycles: [refined(1, 0.25), broken] })).toMatchObject({
      ligand_code: 'NUT',
      fitted_ligand_code: undefined,
    });
  });
});
