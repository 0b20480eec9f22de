import type { CycleRecord, SessionDirectives, SessionSettings } from '@fleet/contracts';
import { dataFile, factsBench, modelFile, ran } from '@fleet/testing';
import { openMenu } from './menu';

const bench = factsBench();

interface Given {
  /** Å. */
  readonly at?: number;
  readonly settings?: Partial<SessionSettings>;
  readonly directives?: SessionDirectives;
}

/** What is first on the menu after these refinements of a placed model. */
const next = (
  refinements: readonly Readonly<Record<string, number>>[],
  { at = 2.5, settings, directives }: Given = {},
  more: readonly CycleRecord[] = [],
): string => {
  const cycles = [
    ran(1, 'xtriage', { metrics: { resolution: at } }),
    ran(2, 'phaser', { metrics: { tfz: 24, llg: 1250 }, outputs: [modelFile('/work/p/PHASER.1.pdb')] }),
    ...refinements.map((metrics, index) =>
      ran(index + 3, 'refine', { metrics, outputs: [modelFile(`/work/r/refine_00${String(index + 1)}_001.pdb`)] }),
    ),
    ...more,
  ];
  const session = bench.describe([dataFile(), modelFile()], {
    cycles,
    ...(settings === undefined ? {} : { settings }),
    ...(directives === undefined ? {} : { directives }),
  });
  return openMenu(session, bench.ruleBook).offered[0]?.program ?? 'STOP';
};

const refine = 'phenix.refine';
const validate = 'phenix.molprobity';

describe('refinement at the target', () => {
  it.each([
    ['one of three at 0.295', [{ r_free: 0.295 }], 2.5, refine],
    ['one of three, good already', [{ r_free: 0.23 }], 2.5, refine],
    ['one of three at low resolution', [{ r_free: 0.31 }], 3.4, refine],
    ['two of three, the second gained', [{ r_free: 0.32 }, { r_free: 0.29 }], 2.5, refine],
    ['two of three, the second gained as much as ends no plateau', [{ r_free: 0.295 }, { r_free: 0.29 }], 2.5, refine],
    ['two of three, the second gained less', [{ r_free: 0.295 }, { r_free: 0.291 }], 2.5, validate],
    ['two of three, the second made it worse', [{ r_free: 0.28 }, { r_free: 0.29 }], 2.5, validate],
    ['all three', [{ r_free: 0.33 }, { r_free: 0.31 }, { r_free: 0.29 }], 2.5, validate],
  ])('continues while a cycle is left and the last one gained: %s', (_name, values, at, program) => {
    expect(next(values, { at })).toBe(program);
  });

  it('knows from the log what the first one gained', () => {
    expect(next([{ r_free: 0.25, start_r_free: 0.41 }])).toBe(refine);
    expect(next([{ r_free: 0.25, start_r_free: 0.256 }])).toBe(refine);
    expect(next([{ r_free: 0.25, start_r_free: 0.253 }])).toBe(validate);
    expect(next([{ r_free: 0.25, start_r_free: 0.24 }])).toBe(validate);
  });

  it('ends where the submitter has set another limit or the target, or the model is validated', () => {
    const one = [{ r_free: 0.29 }];
    expect(next(one, { settings: { max_refine_cycles: 1 } })).toBe(validate);
    expect(next(one, { directives: { stop_conditions: { max_refine_cycles: 1 } } })).toBe(validate);
    expect(next(one, { settings: { r_free_target: 0.3 } })).toBe(validate);
    expect(next(one, { settings: { r_free_target: 0.28 } })).toBe(refine);
    expect(next(one, {}, [ran(4, 'molprobity')])).toBe('STOP');
  });

  it('is the one that a merged ligand needs, unless that gained too', () => {
    const merged = (metrics: Readonly<Record<string, number>>): readonly CycleRecord[] => [
      ran(4, 'pdbtools', { outputs: [modelFile('/work/l/model_with_ligand.pdb')] }),
      ran(5, 'refine', { metrics, outputs: [modelFile('/work/r/refine_002_001.pdb')] }),
      ran(6, 'polder'),
    ];
    const before = [{ r_free: 0.27, start_r_free: 0.4 }];
    expect(next(before, {}, merged({ r_free: 0.25 }))).toBe(validate);
    expect(next(before, {}, merged({ r_free: 0.25, start_r_free: 0.252 }))).toBe(validate);
    expect(next(before, {}, merged({ r_free: 0.25, start_r_free: 0.262 }))).toBe(refine);
  });
});
