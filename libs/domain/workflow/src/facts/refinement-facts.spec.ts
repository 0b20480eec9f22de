import type { CycleRecord, SessionFile, UnitCell } from '@fleet/contracts/sessions';
import { dataFile, factsBench, inMap, mapFile, modelFile, ran, sequenceFile, type PastRun } from '@fleet/testing';

const bench = factsBench();
const { factsOf } = bench;

const inputs = [dataFile(), modelFile(), sequenceFile()];
const refined = (cycle: number, r_free: number, more: PastRun = {}): CycleRecord =>
  ran(cycle, 'refine', { metrics: { r_free }, ...more });

describe('the facts of refinement', () => {
  it('are its runs, its last value and its best', () => {
    const cycles = [refined(1, 0.3), refined(2, 0.25), refined(3, 0.28)];
    expect(factsOf(inputs)).toMatchObject({ 'refinement.runs': 0, 'refinement.last': 0 });
    expect(factsOf(inputs)).not.toHaveProperty(['refinement.best']);
    expect(factsOf(inputs, { cycles })).toMatchObject({
      'refinement.runs': 3,
      'refinement.last': 3,
      'refinement.value': 0.28,
      'refinement.best': 0.25,
      'refinement.reached': 0.25,
      'refinement.worse': true,
    });
    expect(factsOf(inputs, { cycles: [refined(1, 0.25), refined(2, 0.252)] })['refinement.worse']).toBe(false);
    expect(factsOf(inputs, { cycles: [refined(1, 0.25), refined(2, 0.255)] })['refinement.worse']).toBe(true);
  });

  it('start again with a new model', () => {
    const cycles = [refined(1, 0.25), ran(2, 'phaser'), refined(3, 0.28)];
    expect(factsOf(inputs, { cycles })).toMatchObject({
      'refinement.runs': 2,
      'refinement.best': 0.28,
      'refinement.worse': false,
      'placement.last': 2,
    });
  });

  it('use the highest correlation for a map', () => {
    const cycles = [0.7, 0.6].map((map_cc, index) =>
      inMap(ran(index + 1, 'real_space_refine', { metrics: { map_cc } })),
    );
    expect(factsOf([mapFile('/data/m.ccp4'), modelFile()], { cycles })).toMatchObject({
      'refinement.best': 0.7,
      'refinement.reached': 0.7,
      'refinement.value': 0.6,
      'refinement.worse': true,
    });
  });

  it('count the anisotropic refinements since the placement', () => {
    const anisotropic = (cycle: number, how: Partial<CycleRecord['decision']>): CycleRecord => {
      const run = refined(cycle, 0.2);
      return { ...run, decision: { ...run.decision, ...how } };
    };
    const parameter = bench.ruleBook.programs['phenix.refine']!.strategy.find(
      ({ key }) => key === 'anisotropic_adp',
    )!.parameter;
    const cycles = [
      anisotropic(1, { strategy: { anisotropic_adp: true } }),
      ran(2, 'phaser'),
      anisotropic(3, { strategy: { anisotropic_adp: true } }),
      anisotropic(4, { argv: ['phenix.refine', `${parameter}=x`] }),
      anisotropic(5, { strategy: { anisotropic_adp: false } }),
    ];
    expect(factsOf(inputs, { cycles })['anisotropic_refinements']).toBe(2);
    expect(factsOf(inputs, { cycles: cycles.slice(0, 1) })['anisotropic_refinements']).toBe(1);
  });

  it('distinguish full runs from early stops of programs that have both', () => {
    const full = ran(2, 'predict_and_build', { metrics: { r_free: 0.3 } });
    const early = ran(1, 'predict_and_build');
    const only = { ...early, decision: { ...early.decision, strategy: { stop_after_predict: true } } };
    expect(factsOf(inputs, { cycles: [only, full] })).toMatchObject({
      'full.predict_and_build': 1,
      'full_last.predict_and_build': 2,
      'refinement.runs': 1,
      'placement.last': 2,
    });
    expect(factsOf(inputs, { cycles: [only] })).toMatchObject({
      'full.predict_and_build': 0,
      'full_last.predict_and_build': 0,
    });
  });
});

describe('the free set', () => {
  const flagged = (path: string, freeSet: string) => dataFile({ freeSet }, path);
  const own = flagged('/data/data.mtz', '01 02 03');
  const withData = (cycle: number, program: string, data: SessionFile, more: PastRun = {}) =>
    ran(cycle, program, { inputs: [{ slot: 'data', path: data.path }], ...more });

  it('of every refinement is compared with that of the first', () => {
    const other = flagged('/data/other.mtz', '11 12 13');
    const changed = (...cycles: readonly CycleRecord[]): readonly unknown[] => {
      const facts = factsOf([own, other, modelFile()], { cycles });
      return [facts['free_set_changed'], facts['free_set_changed_by']];
    };
    expect(changed()).toEqual([undefined, undefined]);
    expect(changed(withData(1, 'refine', own), withData(2, 'refine', own))).toEqual([0, undefined]);
    expect(changed(withData(1, 'refine', own), withData(2, 'refine', other))).toEqual([2, 'phenix.refine']);
    expect(changed(withData(1, 'refine', own), withData(2, 'polder', other))).toEqual([0, undefined]);
    expect(changed(withData(1, 'refine', own), withData(2, 'refine', other, { fails: 'it broke' }))).toEqual([
      0,
      undefined,
    ]);
    const wrote = withData(1, 'refine', own, { outputs: [flagged('/w/new.mtz', '21 22 23')] });
    expect(changed(wrote)).toEqual([1, 'phenix.refine']);
    expect(
      changed(
        withData(1, 'refine', own, { outputs: [dataFile({ freeSet: '21 22', observations: [] }, '/w/map.mtz')] }),
      ),
    ).toEqual([0, undefined]);
  });
});

describe('the placement', () => {
  it.each([
    [[78.7, 40.4, 56.1, 90, 90, 90], 'P 21 21 21', false],
    [[78.9, 40.4, 56.1, 90, 90, 90], 'P 21 21 21', false],
    [[79.7, 40.4, 56.1, 90, 90, 90], 'P 21 21 21', true],
    [[79.7, 40.4, 56.1, 90, 90, 90], 'P 21 21 2', undefined],
    [[84.7, 40.4, 56.1, 90, 90, 90], 'P 21 21 21', undefined],
  ] as const)('of a model from cell %j in %s: whether its crystal is isomorphous', (cell, spaceGroup, isomorphous) => {
    const model = modelFile();
    const data = dataFile();
    const [own, its] = [
      { ...data, facts: { ...data.facts, spaceGroup: 'P 21 21 21' } },
      { ...model, facts: { ...model.facts, cell, spaceGroup } },
    ];
    const facts = factsOf([own, its]);
    expect(facts.isomorphous).toBe(isomorphous);
    expect(facts.data_cell).toBe(isomorphous === undefined ? undefined : data.facts.cell?.join(' '));
  });

  const analysed = (metrics: PastRun['metrics'] = {}) => [ran(1, 'xtriage', { metrics })];
  const withCell = (file: SessionFile, cell: UnitCell): SessionFile => ({ ...file, facts: { ...file.facts, cell } });

  it.each([
    [[78.7, 40.4, 56.1, 90, 90, 90], false],
    [[78.7, 40.4, 58.5, 90, 90, 90], false],
    [[78.7, 40.4, 59.5, 90, 90, 90], true],
    [[70, 40.4, 56.1, 90, 90, 90], true],
    [[78.7, 40.4, 56.1, 90, 100, 90], true],
    [[1, 1, 1, 90, 90, 90], undefined],
    [[2, 40, 56, 90, 90, 90], undefined],
  ] as const)('of a model from cell %j: whether it is another crystal form', (cell, mismatch) => {
    expect(factsOf([dataFile(), withCell(modelFile(), cell)]).cell_mismatch).toBe(mismatch);
  });

  it('uses the space group of the search if the data state another', () => {
    const found = (space_group: string, data = dataFile()): unknown =>
      factsOf([data, modelFile()], { cycles: [ran(1, 'phaser', { metrics: { space_group } })] })['found_space_group'];
    expect(found(' P 21 21 2 ')).toBe('P 21 21 2');
    expect(found('P212121')).toBeUndefined();
    expect(found('not known yet')).toBeUndefined();
    expect(factsOf(inputs)['found_space_group']).toBeUndefined();
  });

  it('states how much of the asymmetric unit the model covers', () => {
    expect(factsOf(inputs, { cycles: analysed({ n_copies: 2 }) })).toMatchObject({
      model_residues: 96,
      asu_residues: 192,
      model_share: 0.5,
    });
    expect(factsOf([dataFile(), modelFile()], { cycles: analysed({ n_copies: 2, n_residues: 384 }) })).toMatchObject({
      asu_residues: 384,
      model_share: 0.25,
    });
    expect(factsOf(inputs)).toMatchObject({ model_residues: 96, asu_residues: undefined });
    expect(factsOf(inputs)).not.toHaveProperty('model_share');
    const unread = { ...modelFile(), facts: { ...modelFile().facts, assumed: true as const } };
    expect(
      factsOf([dataFile(), unread, sequenceFile()], { cycles: analysed({ n_copies: 2 }) }).model_share,
    ).toBeUndefined();
  });

  it.each([
    [{ n_copies: 2 }, sequenceFile(), 2],
    [{ n_copies: 4 }, sequenceFile(48), 2],
    [{ n_copies: 1 }, sequenceFile(960), 1],
    [{ n_residues: 200 }, undefined, 2],
    [{ n_residues: 30 }, undefined, 1],
    [{ n_residues: 9600 }, undefined, 30],
    [{}, undefined, undefined],
  ])('uses as many copies as %j and the sequence allow', (metrics, sequence, copies) => {
    const files = [dataFile(), modelFile(), ...(sequence === undefined ? [] : [sequence])];
    expect(factsOf(files, { cycles: analysed(metrics) }).search_copies).toBe(copies);
  });

  it('searches each of several equal chains', () => {
    const dimer = {
      ...sequenceFile(192),
      facts: { format: 'sequence' as const, sequence: { chains: 2, residues: 192, distinct: 1 } },
    };
    expect(factsOf([dataFile(), modelFile(), dimer], { cycles: analysed({ n_copies: 1 }) }).search_copies).toBe(2);
    const unlike = {
      ...dimer,
      facts: { format: 'sequence' as const, sequence: { chains: 2, residues: 192, distinct: 2 } },
    };
    expect(factsOf([dataFile(), modelFile(), unlike], { cycles: analysed({ n_copies: 1 }) }).search_copies).toBe(1);
  });
});
