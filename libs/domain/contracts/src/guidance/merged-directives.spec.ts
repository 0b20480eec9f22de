import { mergedDirectives } from './merged-directives';

describe('directives from advice and client', () => {
  it("are merged; of two values the client's counts, and the other is reported", () => {
    const read = {
      program_settings: { default: { resolution: 3 }, 'phenix.refine': { tls: true } },
      stop_conditions: { max_refine_cycles: 2, skip_validation: true },
      constraints: ['no loops'],
    };
    const given = {
      program_settings: { default: { resolution: 2.5 } },
      stop_conditions: { max_refine_cycles: 2, after_cycle: 4 },
      constraints: ['keep the ligand'],
    };
    expect(mergedDirectives(read, given)).toEqual({
      directives: {
        program_settings: { default: { resolution: 2.5 }, 'phenix.refine': { tls: true } },
        stop_conditions: { max_refine_cycles: 2, skip_validation: true, after_cycle: 4 },
        constraints: ['keep the ligand', 'no loops'],
      },
      overruled: ['program_settings.default.resolution is 2.5, as the directives say, and not 3, as the advice says.'],
    });
  });

  it('do not exclude a program that the client requests in structured form', () => {
    const skip_programs = ['phenix.autosol', 'phenix.phaser', 'phenix.polder', 'phenix.xtriage'];
    const given = {
      stop_conditions: { after_program: 'phenix.autosol', start_with_program: 'phenix.phaser' },
      program_settings: { 'phenix.polder': { resolution: 2 } },
      workflow_preferences: { skip_programs: ['phenix.refine'] },
    };
    const { directives, overruled } = mergedDirectives({ workflow_preferences: { skip_programs } }, given);
    expect(directives.workflow_preferences).toEqual({ skip_programs: ['phenix.refine', 'phenix.xtriage'] });
    expect(overruled.map((sentence) => sentence.split(' ')[0])).toEqual(skip_programs.slice(0, 3));
  });

  it('are those of one source if the other is empty', () => {
    const directives = { stop_conditions: { after_cycle: 3 } };
    expect(mergedDirectives(directives, {})).toEqual({ directives: directives, overruled: [] });
    expect(mergedDirectives({}, directives)).toEqual({ directives: directives, overruled: [] });
  });
});
