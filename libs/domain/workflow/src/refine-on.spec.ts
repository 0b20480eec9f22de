import type { SessionDirectives } from '@fleet/contracts/guidance';
import type { SessionSettings } from '@fleet/contracts/service';
import type { CycleRecord } from '@fleet/contracts/sessions';
import { dataFile, factsBench, modelFile, ran } from '@fleet/testing';
import { openMenu } from './menu';

const bench = factsBench();

interface Given {
  /** Å. */
  readonly at?: number;
  readonly settings?: Partial<SessionSettings>;
  readonly directives?: SessionDirectives;
  /** Waters in the refined models. */
  readonly waters?: number;
}

/** The first menu entry after these refinements of a placed model. */
const next = (
  refinements: readonly Readonly<Record<string, number>>[],
  { at = 2.5, settings, directives, waters = 60 }: Given = {},
  more: readonly CycleRecord[] = [],
): string => {
  const cycles = [
    ran(1, 'xtriage', { metrics: { resolution: at } }),
    ran(2, 'phaser', { metrics: { tfz: 24, llg: 1250 }, outputs: [modelFile('/work/p/PHASER.1.pdb')] }),
    ...refinements.map((metrics, index) =>
      ran(index + 3, 'refine', {
        metrics,
        outputs: [modelFile(`/work/r/refine_00${String(index + 1)}_001.pdb`, { waters })],
      }),
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
  ])('continues while cycles are left and the last one gained: %s', (_name, values, at, program) => {
    expect(next(values, { at })).toBe(program);
  });

  it('reads from the log what the first one gained', () => {
    expect(next([{ r_free: 0.25, start_r_free: 0.41 }])).toBe(refine);
    expect(next([{ r_free: 0.25, start_r_free: 0.256 }])).toBe(refine);
    expect(next([{ r_free: 0.25, start_r_free: 0.253 }])).toBe(validate);
    expect(next([{ r_free: 0.25, start_r_free: 0.24 }])).toBe(validate);
  });

  it('ends if the submitter has set another limit or target, or if the model is validated', () => {
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
      ran(5, 'refine', { metrics, outputs: [modelFile('/work/r/refine_002_001.pdb', { waters: 60 })] }),
      ran(6, 'polder'),
    ];
    const before = [{ r_free: 0.27, start_r_free: 0.4 }];
    expect(next(before, {}, merged({ r_free: 0.25 }))).toBe(validate);
    expect(next(before, {}, merged({ r_free: 0.25, start_r_free: 0.252 }))).toBe(validate);
    expect(next(before, {}, merged({ r_free: 0.25, start_r_free: 0.262 }))).toBe(refine);
  });

  describe('after a first refinement without gain, for a model without waters', () => {
    const one = [{ r_free: 0.248, r_work: 0.237, start_r_free: 0.249 }];
    const settingsOf = (key: string, value: boolean): SessionDirectives => ({
      program_settings: { 'phenix.refine': { [key]: value } },
    });
    const withWaters = (directives?: SessionDirectives, r_free = 0.2479): CycleRecord => {
      const run = ran(4, 'refine', {
        metrics: { r_free },
        outputs: [modelFile('/work/r/refine_002_001.pdb', { waters: 0 })],
      });
      const strategy = directives?.program_settings?.['phenix.refine'] ?? { ordered_solvent: true };
      return { ...run, decision: { ...run.decision, strategy } };
    };

    it('adds waters first', () => {
      expect(next(one, { at: 1.95, waters: 0 })).toBe(refine);
      expect(next(one, { at: 1.95, waters: 1 })).toBe(validate);
      expect(next(one, { at: 3, waters: 0 })).toBe(validate);
    });

    it('adds waters once, even if none was found', () => {
      expect(next(one, { at: 1.95, waters: 0 }, [withWaters()])).toBe(validate);
    });

    it.each<[string, Partial<Given>]>([
      ['no waters', { directives: settingsOf('ordered_solvent', false) }],
      ['no waters in any program', { directives: { program_settings: { default: { ordered_solvent: false } } } }],
      ['none until a number is reached', { directives: { constraints: ['Do not add waters until R-free < 0.20'] } }],
      ['one refinement', { directives: { stop_conditions: { max_refine_cycles: 1 } } }],
      ['no R-free below 0.25', { settings: { r_free_target: 0.25 } }],
    ])('adds none if the submitter wants %s', (_name, request) => {
      expect(next(one, { at: 1.95, waters: 0, ...request })).toBe(validate);
    });

    it('adds waters with anisotropic B values in the same refinement, if the data determine both', () => {
      const both = withWaters({
        program_settings: { 'phenix.refine': { ordered_solvent: true, anisotropic_adp: true } },
      });
      const sharp = [{ r_free: 0.2, start_r_free: 0.201 }];
      expect(next(sharp, { at: 1.3, waters: 0 })).toBe(refine);
      expect(next(sharp, { at: 1.3, waters: 0 }, [both])).toBe(validate);
      const refused = settingsOf('anisotropic_adp', false);
      expect(next(sharp, { at: 1.3, waters: 60 })).toBe(refine);
      expect(next(sharp, { at: 1.3, waters: 60, directives: refused })).toBe(validate);
      expect(next(sharp, { at: 1.3, waters: 0, directives: refused })).toBe(refine);
    });
  });
});
