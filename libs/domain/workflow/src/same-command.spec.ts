import type { CycleRecord } from '@fleet/contracts/sessions';
import type { ProgramKnowledge } from '@fleet/knowledge-model';
import { aCycle, aDecision, aProgram, aResult, aSlot, dataFile, modelFile } from '@fleet/testing';
import { copiedModels, essenceOf, remakesInputs, withoutRepeats } from './same-command';

const refine = aProgram({
  name: 'phenix.refine',
  group: 'refinement',
  inputs: [aSlot({ free_flags: 'locked' }), aSlot({ slot: 'model', formats: ['pdb'] })],
  strategy: [
    { key: 'output_prefix', parameter: 'output.prefix', type: 'output_name', source: 'its PHIL' },
    { key: 'cycles', parameter: 'cycles', type: 'integer', min: 0, max: 9, source: 'its PHIL' },
  ],
  unchanged_when: { metrics: [{ metric: 'r_free', at_start: 'start_r_free' }], why: 'nothing moved' },
});
const rebuild = aProgram({ name: 'phenix.rebuild', group: 'building' });
const look = aProgram({ name: 'phenix.look', group: 'analysis' });
const programs: Readonly<Record<string, ProgramKnowledge>> = Object.fromEntries(
  [refine, rebuild, look].map((one) => [one.name, one]),
);

const inputs = (model: string, data = '/d.mtz') => [
  { slot: 'data', path: data },
  { slot: 'model', path: model },
];
const argv = (model: string, more: readonly string[] = [], data = '/d.mtz') => ['phenix.refine', model, data, ...more];

describe('the essence of a command', () => {
  const none = new Map<string, string>();
  const essence = (
    model: string,
    more?: readonly string[],
    data?: string,
    copies: ReadonlyMap<string, string> = none,
  ) => essenceOf({ argv: argv(model, more, data), inputs: inputs(model, data) }, refine, copies);

  it('ignores the names of outputs, and the copy of the locked data that is read', () => {
    expect(essence('/m.pdb', ['output.prefix=a'])).toBe(essence('/m.pdb', ['output.prefix=b'], '/other.mtz'));
    const flagged = (data: string) =>
      essenceOf({ argv: ['p', `data=${data}`], inputs: inputs('/m.pdb', data) }, refine, none);
    expect(flagged('/d.mtz')).toBe(flagged('/other.mtz'));
  });

  it('contains everything else', () => {
    expect(essence('/m.pdb', ['cycles=1'])).not.toBe(essence('/m.pdb', ['cycles=2']));
    expect(essence('/m.pdb')).not.toBe(essence('/n.pdb'));
  });

  it('uses the original of a copied model', () => {
    expect(essence('/copy.pdb', [], '/d.mtz', new Map([['/copy.pdb', '/m.pdb']]))).toBe(essence('/m.pdb'));
  });

  it('does not depend on the order of its inputs', () => {
    const both = [
      { slot: 'model', path: '/a.pdb' },
      { slot: 'ligand', path: '/b.cif' },
    ];
    const of = (own: typeof both) => essenceOf({ argv: ['p'], inputs: own }, refine, none);
    expect(of(both)).toBe(of(both.toReversed()));
  });

  it('is undefined if the inputs other than the data are unknown', () => {
    expect(essenceOf({ argv: ['p'], inputs: [{ slot: 'data', path: '/d.mtz' }] }, refine, none)).toBeUndefined();
  });
});

const run = (cycle: number, model: string, made: string, metrics: Readonly<Record<string, number>> = {}): CycleRecord =>
  aCycle({
    cycle,
    decision: aDecision({ program: 'phenix.refine', argv: argv(model), inputs: inputs(model) }),
    result: aResult({ outputs: [modelFile(made), dataFile({}, '/w/map.mtz')], metrics }),
  });
const still = { r_free: 0.3, start_r_free: 0.3 };

describe('a model that a run left unchanged', () => {
  it('is a copy of its input, over several runs', () => {
    expect([...copiedModels([run(1, '/m.pdb', '/a.pdb', still), run(2, '/a.pdb', '/b.pdb', still)], programs)]).toEqual(
      [
        ['/a.pdb', '/m.pdb'],
        ['/b.pdb', '/m.pdb'],
      ],
    );
  });

  it('is not a copy if a metric changed or is unknown, or if no metrics are defined for it', () => {
    const copies = (metrics: Readonly<Record<string, number>>, known = programs): number =>
      copiedModels([run(1, '/m.pdb', '/a.pdb', metrics)], known).size;
    expect(copies({ r_free: 0.29, start_r_free: 0.3 })).toBe(0);
    expect(copies({ r_free: 0.3 })).toBe(0);
    expect(copies({})).toBe(0);
    expect(copies(still, {})).toBe(0);
    expect(copies(still)).toBe(1);
    const { decision } = run(1, '/m.pdb', '/a.pdb');
    const without = { ...run(1, '/m.pdb', '/a.pdb', still), decision: { ...decision, inputs: [] } };
    expect(copiedModels([without], programs).size).toBe(0);
  });
});

describe('the runs of a refinement', () => {
  const cyclesOf = (...cycles: readonly CycleRecord[]): readonly number[] =>
    withoutRepeats(cycles, programs).map(({ cycle }) => cycle);
  const other = (cycle: number, program: string): CycleRecord => aCycle({ cycle, decision: aDecision({ program }) });

  it('are ignored if they repeat an earlier one', () => {
    expect(cyclesOf(run(1, '/m.pdb', '/a.pdb'), run(2, '/m.pdb', '/b.pdb'), run(3, '/b.pdb', '/c.pdb'))).toEqual([
      1, 3,
    ]);
    expect(cyclesOf(run(1, '/m.pdb', '/a.pdb', still), run(2, '/a.pdb', '/b.pdb'))).toEqual([1]);
  });

  it('count again after a program that replaces its inputs', () => {
    const again = run(3, '/m.pdb', '/b.pdb');
    expect(cyclesOf(run(1, '/m.pdb', '/a.pdb'), other(2, 'phenix.rebuild'), again)).toEqual([1, 2, 3]);
    expect(cyclesOf(run(1, '/m.pdb', '/a.pdb'), other(2, 'phenix.look'), again)).toEqual([1, 2]);
    expect([rebuild, refine, look, undefined].map(remakesInputs)).toEqual([true, false, false, false]);
  });

  it('remain if nothing is known about them, as do all runs of other programs', () => {
    const bare = (cycle: number): CycleRecord => {
      const known = run(cycle, '/m.pdb', '/a.pdb');
      return { ...known, decision: { ...known.decision, argv: ['phenix.refine'] } };
    };
    const unnamed = (cycle: number): CycleRecord => {
      const known = run(cycle, '/m.pdb', '/a.pdb');
      return { ...known, decision: { ...known.decision, inputs: [] } };
    };
    expect(cyclesOf(bare(1), bare(2), unnamed(3), unnamed(4))).toEqual([1, 2, 3, 4]);
    expect(cyclesOf(other(1, 'phenix.look'), other(2, 'phenix.look'), other(3, 'phenix.nonsense'))).toEqual([1, 2, 3]);
  });
});
