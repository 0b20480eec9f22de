import { parseDirectives } from './parse-directives';

const fields = (value: unknown, programs?: ReadonlySet<string>): readonly string[] =>
  parseDirectives(value, programs).problems.map(({ field }) => field);

describe('parseDirectives', () => {
  it('accepts an example with every field', () => {
    const value = {
      program_settings: {
        'phenix.autosol': { resolution: 3.0, atom_type: 'Se' },
        'phenix.refine': { anisotropic_adp: true },
        default: { resolution: 2.5 },
      },
      stop_conditions: {
        after_program: 'phenix.refine',
        start_with_program: 'phenix.polder',
        after_cycle: 4,
        max_refine_cycles: 2,
        skip_validation: true,
        r_free_target: 0.25,
        map_cc_target: 0.7,
      },
      file_preferences: { model: 'beta.pdb', sequence: 'beta.seq', exclude: ['old_model.pdb'] },
      workflow_preferences: {
        skip_programs: ['phenix.autobuild'],
        prefer_programs: ['phenix.phaser'],
        use_experimental_phasing: true,
        use_molecular_replacement: false,
        use_mr_sad: false,
      },
      constraints: ['Do not add waters until R-free < 0.30'],
    };
    expect(parseDirectives(value)).toEqual({ directives: value, problems: [] });
  });

  it.each([
    [7, 'directives'],
    [null, 'directives'],
    [{ stop_condition: {} }, 'directives.stop_condition'],
    [{ stop_conditions: { after_cycle: 0 } }, 'directives.stop_conditions.after_cycle'],
    [{ stop_conditions: { after_program: 'refine' } }, 'directives.stop_conditions.after_program'],
    [{ stop_conditions: { toString: 1 } }, 'directives.stop_conditions.toString'],
    [{ workflow_preferences: { skip_programs: 'phenix.refine' } }, 'directives.workflow_preferences.skip_programs'],
    [{ program_settings: { 'phenix.refine': { cycles: [3] } } }, 'directives.program_settings.phenix.refine.cycles'],
    [{ program_settings: { refine: {} } }, 'directives.program_settings.refine'],
    [{ constraints: 'no waters' }, 'directives.constraints'],
    [{ file_preferences: { model: '' } }, 'directives.file_preferences.model'],
    [{ file_preferences: { model: 'a\0b' } }, 'directives.file_preferences.model'],
    [{ program_settings: { default: { atom_type: 'S\0' } } }, 'directives.program_settings.default.atom_type'],
  ])('names the invalid field in %j', (value, field) => {
    expect(fields(value)).toEqual([field]);
  });

  it('rejects unknown programs if the known ones are given', () => {
    const value = { stop_conditions: { after_program: 'phenix.refien' } };
    expect(fields(value)).toEqual([]);
    expect(fields(value, new Set(['phenix.refine']))).toEqual(['directives.stop_conditions.after_program']);
  });

  it('keeps the valid fields beside invalid ones', () => {
    expect(parseDirectives({ stop_conditions: { after_cycle: 2, skip_validation: 'yes' } }).directives).toEqual({
      stop_conditions: { after_cycle: 2 },
    });
  });
});
