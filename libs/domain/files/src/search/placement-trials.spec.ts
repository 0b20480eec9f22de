import type { SessionDirectives } from '@fleet/contracts/guidance';
import type { CycleRecord } from '@fleet/contracts/sessions';
import type { ErrorKnowledge, PlacementRules } from '@fleet/knowledge-model';
import { aProgram, aRequest, aResult, aSession, modelFile, ran, type PastRun } from '@fleet/testing';
import { isFinding, placementTrials, trialOfSubmitted, type PlacementTrial } from './placement-trials';

const rules: PlacementRules = {
  programs: {
    search: 'phenix.search',
    refinement: ['phenix.refine'],
    rebuild: 'phenix.rebuild',
    analysis: 'phenix.analyse',
    trim: 'phenix.trim',
  },
  keys: { copies: ['component_copies'], groups: ['groups'], space_group: ['space_group'] },
  candidates: { categories: ['search_model'], exclude: [], why: 'w' },
  no_solution: 'nothing_found',
  verdicts: [
    { id: 'a', when: { fact: 'placed', is: false }, verdict: 'refuted', says: 'nothing was found', why: 'w' },
    { id: 'b', when: { fact: 'rebuild_left', is: true }, verdict: 'open', says: 'it could be rebuilt', why: 'w' },
    { id: 'c', when: { fact: 'r_free', above: 0.45 }, verdict: 'unlikely', says: 'R-free {r_free:2}', why: 'w' },
    { id: 'd', when: { fact: 'llg', below: 10 }, verdict: 'unlikely', says: 'LLG {llg:0}', why: 'w' },
  ],
  clear: { fact: 'tfz', above: 8 },
  copies: { least: 0.5, most: 1.5, ways: 2, why: 'w' },
  space_groups: [],
  hands: [],
};
const errors = {
  known: [{ id: 'nothing_found', class: 'retryable', text: ['no solution'], means: 'm', remedy: 'r' }],
} as unknown as ErrorKnowledge;
const search = aProgram({
  name: 'phenix.search',
  strategy: [
    { key: 'component_copies', parameter: 'search.copies', type: 'integer', min: 1, max: 30, source: 'its PHIL' },
    { key: 'groups', parameter: 'sgalternative', type: 'choice', choices: ['hand', 'all'], source: 'its PHIL' },
  ],
});

const book = { rules, errors, search, canRebuild: false };
const model = [{ slot: 'model', path: '/m.pdb' }];
const searched = (cycle: number, run: PastRun = {}, more: readonly string[] = []): CycleRecord => {
  const one = ran(cycle, 'search', { inputs: model, outputs: [modelFile(`/w/${cycle}.pdb`)], ...run });
  return { ...one, decision: { ...one.decision, argv: ['phenix.search', '/m.pdb', ...more] } };
};
const refined = (cycle: number, from: string, r_free: number, program = 'refine'): CycleRecord =>
  ran(cycle, program, {
    inputs: [{ slot: 'model', path: from }],
    metrics: { r_free },
    outputs: [modelFile(`/w/${cycle}.pdb`)],
  });
const trialsOf = (cycles: readonly CycleRecord[], canRebuild = false): readonly PlacementTrial[] =>
  placementTrials({ cycles }, { ...book, canRebuild });

describe('the strategy of a search', () => {
  it.each([
    [[], { copies: 1, groups: 'data' }],
    [['search.copies=3'], { copies: 3, groups: 'data' }],
    [['copies=12', 'sgalternative=hand'], { copies: 12, groups: 'hand' }],
    [['sgalternative=ALL'], { copies: 1, groups: 'all' }],
    [['search.copies=3', 'search.copies=2'], { copies: 2 }],
    [['search.copies=x2'], { copies: 1 }],
    [['search.copies=2x'], { copies: 1 }],
    [['search.copies='], { copies: 1 }],
    [['sgalternative=none'], { groups: 'data' }],
  ])('is read from its command: %j', (more, way) => {
    expect(trialsOf([searched(1, {}, more)])).toMatchObject([way]);
  });

  it('contains its models, in their order', () => {
    const inputs = [
      { slot: 'components', path: '/b.pdb' },
      { slot: 'data', path: '/d.mtz' },
      { slot: 'model', path: '/a.pdb' },
    ];
    expect(trialsOf([searched(1, { inputs })])[0]?.models).toEqual(['/b.pdb', '/a.pdb']);
  });

  it('is undefined for an unknown program', () => {
    const unknown = { ...book, search: undefined };
    expect(placementTrials({ cycles: [searched(1, {}, ['search.copies=3'])] }, unknown)).toMatchObject([{ copies: 1 }]);
  });
});

describe('the verdict on a search', () => {
  const fruitless = searched(1, { fails: 'it ended', errorLines: ['Sorry: no solution'], metrics: { tfz: 9 } });

  it('is that of the first rule that holds, with the metrics of the search', () => {
    expect(trialsOf([searched(1, { metrics: { tfz: 12, llg: 5 } })])).toMatchObject([
      { cycle: 1, placed: true, verdict: 'unlikely', says: 'LLG 5', tfz: 12, clear: true },
    ]);
    const [plain] = trialsOf([searched(1)]);
    expect(plain).toMatchObject({ verdict: 'found', says: 'it was placed', clear: false });
    expect(plain).not.toHaveProperty('tfz');
    expect(plain).not.toHaveProperty('rFree');
    expect(trialsOf([searched(1, { metrics: { tfz: 'high' } })])[0]).not.toHaveProperty('tfz');
  });

  it('is "not found" if the program says so, whatever it found before', () => {
    const [trial] = trialsOf([fruitless]);
    expect(trial).toMatchObject({ placed: false, verdict: 'refuted', says: 'nothing was found', clear: false });
    expect(trial).not.toHaveProperty('tfz');
    expect(trial?.own.size).toBe(0);
    expect(trialsOf([searched(1, { fails: 'no solution' })])).toHaveLength(1);
  });

  it('uses the best R-free of later refinements', () => {
    const cycles = [
      searched(1),
      refined(2, '/w/1.pdb', 0.5),
      refined(3, '/w/2.pdb', 0.47),
      refined(4, '/other.pdb', 0.2),
    ];
    expect(trialsOf(cycles)).toMatchObject([{ rFree: 0.47, verdict: 'unlikely', says: 'R-free 0.47' }]);
    expect([...trialsOf(cycles)[0]!.own]).toEqual([1, 2, 3]);
    expect(trialsOf([searched(1), refined(2, '/w/1.pdb', 0.2, 'validate')])[0]).not.toHaveProperty('rFree');
  });

  it('stays open until the model was rebuilt, if it can be', () => {
    expect(trialsOf([searched(1)], true)).toMatchObject([{ verdict: 'open' }]);
    expect(trialsOf([searched(1), ran(2, 'rebuild')], true)).toMatchObject([{ verdict: 'found' }]);
    expect(trialsOf([ran(1, 'rebuild'), searched(2)], true)).toMatchObject([{ verdict: 'open' }]);
    expect(trialsOf([searched(1), ran(2, 'refine')], true)).toMatchObject([{ verdict: 'open' }]);
  });

  it('exists for every search that finished, and for no other run', () => {
    const { cycle, decision, attempts } = searched(4);
    const running = { cycle, decision, attempts };
    const cycles = [
      fruitless,
      searched(2, { fails: 'no licence' }),
      ran(3, 'refine', { fails: 'no solution' }),
      running,
    ];
    expect(trialsOf(cycles).map((one) => one.cycle)).toEqual([1]);
    expect([...cycles, searched(5)].map((one) => isFinding(one, rules, errors))).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('the submitted model at its position', () => {
  const trialOf = (cycles: readonly CycleRecord[], directives: SessionDirectives = {}): PlacementTrial | undefined =>
    trialOfSubmitted(aSession({ request: aRequest({ inputs: [modelFile('/m.pdb')], directives }), cycles }), book);

  it('is judged by its refinements', () => {
    const cycles = [refined(1, '/m.pdb', 0.5), refined(2, '/m.pdb', 0.46), refined(3, '/w/2.pdb', 0.48)];
    const trial = trialOf(cycles);
    expect(trial).toMatchObject({ asSubmitted: true, cycle: 1, rFree: 0.46, verdict: 'unlikely' });
    expect([...trial!.own]).toEqual([1, 2, 3]);
  });

  it('is not judged before one, by other programs, or if the submitter states that it is placed', () => {
    expect(trialOf([])).toBeUndefined();
    expect(trialOf([refined(1, '/other.pdb', 0.5)])).toBeUndefined();
    expect(trialOf([refined(1, '/m.pdb', 0.5, 'validate')])).toBeUndefined();
    const beside = ran(1, 'refine', { inputs: [{ slot: 'reference', path: '/m.pdb' }] });
    expect(trialOf([beside])).toBeUndefined();
    const placed = { workflow_preferences: { model_is_placed: true } };
    expect(trialOf([refined(1, '/m.pdb', 0.5)], placed)).toBeUndefined();
    expect(trialOf([{ ...refined(1, '/m.pdb', 0.5), result: aResult({ outcome: 'failed' }) }])).toBeUndefined();
  });
});
