import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExperimentType } from '@fleet/contracts/sessions';
import * as fc from 'fast-check';
import { load } from 'js-yaml';
import { projectRules } from '@fleet/testing';
import { problemWithModelDirective, readAdvice, withModelDirectives, type ModelDirective } from './index';

const ruleBook = projectRules();

const fixture = (name: string): string => readFileSync(join(__dirname, 'fixtures', name), 'utf8');
const noStop = fixture('no-stop.txt').trim().split('\n');
const readings = load(fixture('readings.yaml')) as readonly { readonly text: string }[];

const directive = (field: string, value: ModelDirective['value'], words: string): ModelDirective => ({
  field,
  value,
  words,
});
const read = (text: string, directives: readonly ModelDirective[], experiment: ExperimentType = 'xray') => {
  const byRules = readAdvice(text, ruleBook, { experiment });
  return { byRules, ...withModelDirectives(byRules, directives, { ...ruleBook, experiment }) };
};

type Case = readonly [text: string, field: string, value: ModelDirective['value'], words: string];

describe('directives that a model reads in advice', () => {
  const supported: readonly Case[] = [
    ['Call it a day after phaser.', 'stop_conditions.after_program', 'phenix.phaser', 'Call it a day after phaser.'],
    [
      'Once “autosol” is through we are done.',
      'stop_conditions.after_program',
      'phenix.autosol',
      'autosol is through we are done',
    ],
    [
      'A glance by xtriage, that would be enough.',
      'stop_conditions.after_program',
      'phenix.xtriage',
      'A glance by xtriage, that would be enough.',
    ],
    ['Five cycles are what we can afford.', 'stop_conditions.after_cycle', 5, 'Five cycles are what we can afford.'],
    [
      'Three times refinement is what we can afford.',
      'stop_conditions.max_refine_cycles',
      3,
      'Three times refinement is what we can afford.',
    ],
    [
      'An R free around 22 % would make us happy.',
      'stop_conditions.r_free_target',
      0.22,
      'An R free around 22 % would make us happy.',
    ],
    [
      'The waters had better stay away for now.',
      'program_settings.phenix.refine.ordered_solvent',
      false,
      'The waters had better stay away for now.',
    ],
    [
      'Waters should be put in as well.',
      'program_settings.phenix.refine.ordered_solvent',
      true,
      'Waters should be put in as well.',
    ],
    [
      'Autobuild is a waste of time, leave it out.',
      'workflow_preferences.skip_programs',
      'phenix.autobuild',
      'Autobuild is a waste of time, leave it out.',
    ],
    [
      'The sequence sits in /data/mx1/seq_b.fasta today.',
      'file_preferences.sequence',
      'seq_b.fasta',
      'The sequence sits in seq_b.fasta',
    ],
    [
      'Our search model sits right where it belongs, it is docked.',
      'workflow_preferences.model_is_placed',
      true,
      'Our search model sits right where it belongs, it is docked.',
    ],
    ['Data go to 2.3 in truth.', 'program_settings.default.resolution', 2.3, 'Data go to 2.3 in truth.'],
  ];
  it.each(supported)('are followed if the text supports them: %s', (text, field, value, words) => {
    const { reading, dropped, byRules } = read(text, [directive(field, value, words)]);
    expect(problemWithModelDirective({ field, value }, ruleBook)).toBeUndefined();
    expect(dropped).toEqual([]);
    expect(byRules.understood.map((one) => one.field)).not.toContain(field);
    expect(reading.understood.at(-1)).toMatchObject({ field, value, words, by: 'model' });
    expect(JSON.stringify(reading.directives)).toContain(JSON.stringify(value));
  });

  const unsupported: readonly (readonly [...Case, RegExp])[] = [
    ['Phaser failed us.', 'workflow_preferences.prefer_programs', 'phenix.phaser', 'Phaser failed us', /ask for/],
    ['Phaser failed us.', 'stop_conditions.start_with_program', 'phenix.phaser', 'Phaser failed us', /ask for/],
    ['The crystals are thin.', 'stop_conditions.after_program', 'phenix.phaser', 'stop after phaser', /no such words/],
    ['Phaser found it.', 'stop_conditions.after_program', 'phenix.phaser', 'Phaser found it', /anything ends/],
    [
      'Stop when it is good.',
      'stop_conditions.after_program',
      'phenix.refine',
      'Stop when it is good',
      /name phenix\.refine/,
    ],
    [
      "Don't stop after phaser.",
      'stop_conditions.after_program',
      'phenix.phaser',
      "Don't stop after phaser",
      /anything ends/,
    ],
    [
      'We only have one crystal; phaser is fine.',
      'stop_conditions.after_program',
      'phenix.phaser',
      'phaser is fine',
      /anything ends/,
    ],
    [
      'If phaser fails, try autosol.',
      'workflow_preferences.prefer_programs',
      'phenix.autosol',
      'try autosol',
      /condition/,
    ],
    ['Should we stop after phaser?', 'stop_conditions.after_program', 'phenix.phaser', 'stop after phaser', /question/],
    ['Cut the data somewhere.', 'program_settings.default.resolution', 2, 'Cut the data somewhere', /do not have 2/],
    ['A refinement would be nice.', 'stop_conditions.max_refine_cycles', 1, 'A refinement', /do not have 1/],
    ['There are 0.25 g of it.', 'stop_conditions.r_free_target', 0.25, '0.25 g of it', /something else/],
    ['Add waters.', 'program_settings.phenix.refine.ordered_solvent', false, 'Add waters', /opposite/],
    [
      "Don't run autobuild but add waters.",
      'program_settings.phenix.refine.ordered_solvent',
      false,
      'add waters',
      /opposite/,
    ],
    ['The protein is large.', 'program_settings.phenix.refine.tls', true, 'The protein is large', /something else/],
    ['Autobuild is nice.', 'workflow_preferences.skip_programs', 'phenix.autobuild', 'Autobuild is nice', /left out/],
    ['Use the good model.', 'file_preferences.model', 'secret.pdb', 'Use the good model', /name secret\.pdb/],
    ['It is a protein.', 'program_settings.phenix.autosol.atom_type', 'Se', 'It is a protein', /do not have Se/],
    [
      'There are 3 copies.',
      'program_settings.phenix.refine.nproc',
      3,
      'There are 3 copies',
      /does not name phenix\.refine/,
    ],
  ];
  it.each(unsupported)('are dropped if the text does not support them: %s %s', (text, field, value, words, why) => {
    const { reading, dropped, byRules } = read(text, [directive(field, value, words)]);
    expect(reading).toEqual(byRules);
    expect(dropped).toEqual([{ words, why: expect.stringMatching(why) as string }]);
  });

  it('set no end that the text does not request, whatever program the model names', () => {
    const programs = Object.keys(ruleBook.programs);
    const invented = noStop.flatMap((text) =>
      withModelDirectives(
        readAdvice(text, ruleBook, { experiment: 'xray' }),
        programs.map((program) => directive('stop_conditions.after_program', program, text)),
        { ...ruleBook, experiment: 'xray' },
      ).reading.understood.flatMap(({ by, value }) => (by === 'model' ? [`${String(value)}: ${text}`] : [])),
    );
    expect(invented).toEqual([]);
  });

  it('do not contradict directives of the rules', () => {
    const cases = readings.flatMap(({ text }) => {
      const byRules = readAdvice(text, ruleBook);
      const directives = byRules.understood.flatMap(({ field, value, words }) =>
        [value].flat().map((one) => directive(field, one, words)),
      );
      const { reading } = withModelDirectives(byRules, directives, { ...ruleBook, experiment: 'xray' });
      return reading.understood.length === byRules.understood.length
        ? reading.conflicts.slice(byRules.conflicts.length)
        : [text];
    });
    expect(cases).toEqual([]);
  });

  it('yield to different directives of the rules, with a report', () => {
    const text = 'Use 2.5 A resolution. Skip autobuild. Refine twice. Use a.pdb, not b.pdb. Three is too much.';
    const { reading, byRules, dropped } = read(text, [
      directive('program_settings.phenix.refine.resolution', 2.5, 'Use 2.5 A resolution'),
      directive('program_settings.phenix.refine.cycles', 3, 'Refine twice. Use a.pdb, not b.pdb. Three'),
      directive('stop_conditions.max_refine_cycles', 3, 'Refine twice. Use a.pdb, not b.pdb. Three'),
      directive('workflow_preferences.prefer_programs', 'phenix.autobuild', 'Skip autobuild'),
      directive('file_preferences.exclude', 'a.pdb', 'Use a.pdb, not b.pdb'),
    ]);
    expect(byRules.directives.stop_conditions?.max_refine_cycles).toBe(2);
    expect(reading.directives.stop_conditions).toEqual(byRules.directives.stop_conditions);
    expect(reading.conflicts).toEqual([
      'stop_conditions.max_refine_cycles is 2, as the rules read it, and not 3, as a model read it.',
      'file_preferences.exclude is not a.pdb, as a model read it: the rules read the opposite.',
    ]);
    expect(dropped.map(({ why }) => why)).toEqual([expect.stringContaining('do without phenix.autobuild')]);
    expect(reading.directives.file_preferences).toEqual(byRules.directives.file_preferences);
    expect(reading.understood.filter(({ by }) => by === 'model').map(({ field }) => field)).toEqual([
      'program_settings.phenix.refine.cycles',
    ]);
  });

  it('remove their words from the unfollowed ones', () => {
    const text = 'Call it a day after phaser.';
    const { reading, byRules } = read(text, [
      directive('stop_conditions.after_program', 'phenix.phaser', 'Call it a day after phaser'),
    ]);
    expect(byRules.notFollowed).toHaveLength(1);
    expect(reading.notFollowed).toEqual([]);
  });

  it('are list entries, and unique', () => {
    const words = 'Autobuild and xtriage are a waste of time, leave them out';
    const { reading } = read(words, [
      directive('workflow_preferences.skip_programs', 'phenix.autobuild', words),
      directive('workflow_preferences.skip_programs', 'phenix.xtriage', words),
      directive('workflow_preferences.skip_programs', 'phenix.autobuild', words),
    ]);
    expect(reading.directives.workflow_preferences?.skip_programs?.toSorted()).toEqual([
      'phenix.autobuild',
      'phenix.xtriage',
    ]);
  });

  it.each([
    ['constraints', 'no waters'],
    ['stop_conditions.__proto__', true],
    ['program_settings.phenix.refine.output_prefix', 'x'],
    ['program_settings.phenix.shell.key', 'x'],
    ['stop_conditions.after_program', 'phenix.shell; rm -rf *'],
    ['stop_conditions.after_cycle', 0],
    ['stop_conditions.r_free_target', 22],
    ['workflow_preferences.use_mr_sad', 'yes'],
  ])('are invalid if no client could give them either: %s = %j', (field, value) => {
    expect(problemWithModelDirective({ field, value }, ruleBook)).toEqual(expect.any(String));
  });

  it('never remove a directive of the rules, and never throw', () => {
    const text = 'Refine twice and stop. Use resolution 2.5. Skip autobuild. Use model_b.pdb, not model_a.pdb.';
    const fields = fc.oneof(
      fc.constantFrom(
        'stop_conditions.after_program',
        'stop_conditions.max_refine_cycles',
        'program_settings.default.resolution',
      ),
      fc.constantFrom('workflow_preferences.skip_programs', 'file_preferences.exclude', 'file_preferences.model'),
      fc.string(),
    );
    const value = fc.oneof(fc.constantFrom('phenix.refine', 'model_a.pdb', 2.5, 2, true), fc.string(), fc.double());
    const words = fc.oneof(
      fc.constantFrom('Refine twice and stop', 'Skip autobuild', text),
      fc.string({ unit: 'binary' }),
    );
    const { byRules } = read(text, []);
    fc.assert(
      fc.property(fc.array(fc.record({ field: fields, value, words }), { maxLength: 6 }), (directives) => {
        const { reading } = withModelDirectives(byRules, directives, { ...ruleBook, experiment: 'xray' });
        for (const one of byRules.understood) expect(reading.understood).toContainEqual(one);
        expect(reading.directives.stop_conditions).toMatchObject(byRules.directives.stop_conditions ?? {});
        expect(reading.directives.program_settings).toMatchObject(byRules.directives.program_settings ?? {});
      }),
      { numRuns: 50 },
    );
  });
});
