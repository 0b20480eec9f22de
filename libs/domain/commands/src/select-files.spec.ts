import type { FilePreferences } from '@fleet/contracts/guidance';
import type { SessionFile } from '@fleet/contracts/sessions';
import type { ScoredFile } from '@fleet/files';
import type { InputSlot, ProgramKnowledge } from '@fleet/knowledge-model';
import { aFile, aProgram, aSlot, dataFile, dictionaryFile, modelFile } from '@fleet/testing';
import { buildCommand } from './build-command';
import type { CommandRequest, CommandResult } from './command-types';

/** The files of each category, the newest first. */
type Categories = Readonly<Record<string, readonly SessionFile[]>>;

interface Chosen {
  readonly slots: readonly Partial<InputSlot>[];
  readonly categories?: Categories;
  readonly all?: readonly SessionFile[];
  readonly best?: Readonly<Record<string, SessionFile>>;
  readonly stated?: Categories;
  readonly facts?: CommandRequest['facts'];
  readonly program?: Partial<ProgramKnowledge>;
  readonly locked?: SessionFile;
  readonly preferences?: FilePreferences;
  readonly planned?: NonNullable<CommandRequest['files']['planned']>;
}

const scored = (file: SessionFile): ScoredFile => ({ file, stage: 'model', score: 1, parts: [] });

const build = ({ slots, categories = {}, best = {}, facts = {}, ...more }: Chosen): CommandResult =>
  buildCommand({
    program: aProgram({ inputs: slots.map((changes) => aSlot({ required: false, ...changes })), ...more.program }),
    files: {
      all: more.all ?? [...new Set(Object.values(categories).flat())],
      byCategory: new Map(Object.entries(categories)),
      best: new Map(Object.entries(best).map(([category, file]) => [category, scored(file)])),
      ranked: new Map(),
      ...(more.locked === undefined ? {} : { lockedFreeFlags: more.locked }),
      ...(more.preferences === undefined ? {} : { preferences: more.preferences }),
      ...(more.planned === undefined ? {} : { planned: more.planned }),
      ...(more.stated === undefined ? {} : { stated: new Map(Object.entries(more.stated)) }),
    },
    facts,
    strategy: {},
  });

/** `slot: path (why)` of each file in the command. */
const chosen = (request: Chosen): readonly string[] => {
  const result = build(request);
  if (!result.built) throw new Error(result.why);
  return result.command.inputs.map(({ slot, file, why }) => `${slot.slot}: ${file.path} (${why})`);
};

const first = dataFile({}, '/data/first.mtz');
const second = dataFile({}, '/data/second.mtz');
const refined = { ...dataFile({}, '/w/refined.mtz'), cycle: 2 };
const categories = { data_mtz: [first, second] };

describe('a slot takes', () => {
  it('the newest file of its first category that has one', () => {
    const slots = [{ categories: ['phased_data_mtz', 'data_mtz'] }];
    expect(chosen({ slots, categories })).toEqual(['data: /data/first.mtz (newest of data_mtz)']);
  });

  it('all of them if it accepts several', () => {
    expect(chosen({ slots: [{ multiple: true }], categories })).toHaveLength(2);
  });

  it('none if there are fewer than it needs', () => {
    expect(chosen({ slots: [{ multiple: true, minimum: 3 }], categories })).toEqual([]);
    expect(chosen({ slots: [{ multiple: true, minimum: 2 }], categories })).toHaveLength(2);
  });

  it('none of another format, and none of a category that it excludes', () => {
    const mixed = { data_mtz: [modelFile(), first, second], old: [first] };
    expect(chosen({ slots: [{ exclude: ['old', 'never_seen'] }], categories: mixed })).toEqual([
      'data: /data/second.mtz (newest of data_mtz)',
    ]);
  });

  it('the best file before the newest, unless it is excluded', () => {
    const best = { data_mtz: second };
    expect(chosen({ slots: [{ best: 'data_mtz' }], categories, best })).toEqual([
      'data: /data/second.mtz (the best file of data_mtz)',
    ]);
    expect(chosen({ slots: [{}], categories, best })).toEqual(['data: /data/first.mtz (newest of data_mtz)']);
    expect(
      chosen({ slots: [{ best: 'data_mtz', exclude: ['old'] }], categories: { ...categories, old: [second] }, best }),
    ).toEqual(['data: /data/first.mtz (newest of data_mtz)']);
  });

  it('nothing if the condition of the slot does not hold', () => {
    const slots = [{ when: { fact: 'twinned', is: true } as const }];
    expect(chosen({ slots, categories, facts: { twinned: false } })).toEqual([]);
    expect(chosen({ slots, categories, facts: { twinned: true } })).toHaveLength(1);
  });

  it('depending on earlier slots', () => {
    const slots = [{}, { slot: 'more', when: { fact: 'input.data.files', is: 1 } as const }];
    expect(chosen({ slots, categories })).toHaveLength(2);
    expect(chosen({ slots: slots.toReversed(), categories })).toHaveLength(1);
  });
});

describe('a slot without a file of its categories', () => {
  const all = [first, second, refined];

  it('uses the newest file of its format if allowed, but no working file', () => {
    const slots = [{ categories: ['nothing'], by_format: true }];
    expect(chosen({ slots, all })).toEqual(['data: /w/refined.mtz (the newest file of the right format)']);
    expect(chosen({ slots, all, categories: { intermediate: [refined] } })).toEqual([
      'data: /data/second.mtz (the newest file of the right format)',
    ]);
    expect(chosen({ slots, all: [first, modelFile()] })).toHaveLength(1);
  });

  it('stays empty otherwise', () => {
    expect(chosen({ slots: [{ categories: ['nothing'] }], all })).toEqual([]);
  });
});

describe('a category that a slot prefers', () => {
  const prefer = [
    { category: 'phased', when: { fact: 'use_phases', is: true } as const, why: 'its phases are wanted' },
    { category: 'twinned', when: { fact: 'twinned', is: true } as const, why: 'it is twinned' },
  ];
  const kinds = { ...categories, phased: [refined], twinned: [second] };

  it('comes first while its condition holds', () => {
    expect(chosen({ slots: [{ prefer }], categories: kinds, facts: { use_phases: true } })).toEqual([
      'data: /w/refined.mtz (its phases are wanted)',
    ]);
    expect(chosen({ slots: [{ prefer }], categories: kinds, facts: { twinned: true } })).toEqual([
      'data: /data/second.mtz (it is twinned)',
    ]);
    expect(chosen({ slots: [{ prefer }], categories: kinds })).toEqual(['data: /data/first.mtz (newest of data_mtz)']);
  });

  it('is skipped while it is empty', () => {
    const facts = { use_phases: true, twinned: true };
    expect(chosen({ slots: [{ prefer }], categories: { ...kinds, phased: [] }, facts })).toEqual([
      'data: /data/second.mtz (it is twinned)',
    ]);
  });

  it('comes before the locked free flags only if the slot says so', () => {
    const request = { categories: kinds, facts: { use_phases: true }, locked: first };
    const free_flags = 'locked' as const;
    const locked = 'data: /data/first.mtz (its R-free flags are locked for the session)';
    expect(chosen({ ...request, slots: [{ free_flags, prefer }] })).toEqual([locked]);
    const measured = prefer.map((one) => ({ ...one, before_lock: true as const }));
    expect(chosen({ ...request, slots: [{ free_flags, prefer: measured }] })).toEqual([
      'data: /w/refined.mtz (its phases are wanted)',
    ]);
    expect(chosen({ ...request, facts: {}, slots: [{ free_flags, prefer: measured }] })).toEqual([locked]);
  });
});

describe('the file with the locked free flags', () => {
  it('is used by slots that require it, only of its format', () => {
    const free_flags = 'locked' as const;
    const plain = 'data: /data/first.mtz (newest of data_mtz)';
    expect(chosen({ slots: [{}], categories, locked: refined })).toEqual([plain]);
    expect(chosen({ slots: [{ free_flags }], categories })).toEqual([plain]);
    expect(chosen({ slots: [{ free_flags }], categories, locked: modelFile() })).toEqual([plain]);
  });
});

describe("the client's best file", () => {
  const own = ['data: /data/first.mtz (newest of data_mtz)'];
  const theirs = ['data: /data/second.mtz (the best file according to the request)'];

  it.each([
    ['its scoring', 'scoring'],
    ['its name', 'data'],
    ['its first category', 'data_mtz'],
  ])('is used by a slot under %s', (_what, name) => {
    expect(chosen({ slots: [{ best: 'scoring' }], categories, stated: { [name]: [second] } })).toEqual(theirs);
  });

  it('is not used if it has another kind or format, or does not exist', () => {
    expect(chosen({ slots: [{}], categories, stated: { other: [second] } })).toEqual(own);
    expect(chosen({ slots: [{}], categories, stated: { data: [modelFile()] } })).toEqual(own);
    expect(chosen({ slots: [{}], categories, stated: { data: [] } })).toEqual(own);
  });
});

describe("the submitter's file", () => {
  const preferences = { data_mtz: 'second.mtz' };

  it('is used instead of the newest', () => {
    expect(chosen({ slots: [{}], categories, preferences })).toEqual([
      'data: /data/second.mtz (the submitter prefers it)',
    ]);
  });

  it('is used if no other would be', () => {
    expect(chosen({ slots: [{ categories: ['nothing'] }], all: [first, second], preferences })).toHaveLength(1);
  });

  it.each([
    ['a slot of another kind', [{ slot: 'other' }], categories],
    ['a slot that excludes it', [{ exclude: ['old'] }], { ...categories, old: [second] }],
    ['what the session has made from it since', [{}], { data_mtz: [refined, second] }],
  ])('yields to %s', (_what, slots, kinds) => {
    expect(chosen({ slots, categories: kinds, preferences })[0]).not.toContain('prefers');
  });

  it('has no effect if no file has its name', () => {
    expect(chosen({ slots: [{}], categories, preferences: { data_mtz: 'third.mtz' } })).toEqual([
      'data: /data/first.mtz (newest of data_mtz)',
    ]);
  });
});

describe('files of the search plan', () => {
  const models = [modelFile('/data/a.pdb'), modelFile('/data/b.pdb')];
  const slot: Partial<InputSlot> = { slot: 'model', formats: ['pdb'], categories: ['model'], multiple: true };
  const usual = { model: [modelFile('/data/usual.pdb')] };

  it('are used completely', () => {
    const planned = { searched: models };
    expect(chosen({ slots: [{ ...slot, planned: 'searched' }], categories: usual, planned })).toEqual([
      'model: /data/a.pdb (the plan of the search names it)',
      'model: /data/b.pdb (the plan of the search names it)',
    ]);
  });

  it.each([
    ['the slot does not follow it', {}, { searched: models }],
    ['it names none', { planned: 'unprocessed' as const }, { searched: models }],
    ['the slot may not take one of them', { planned: 'searched' as const }, { searched: [...models, first] }],
  ])('are not used if %s', (_what, changes, planned) => {
    expect(chosen({ slots: [{ ...slot, ...changes }], categories: usual, planned })).toEqual([
      'model: /data/usual.pdb (newest of model)',
    ]);
  });
});

describe('a command without a file', () => {
  const why = (request: Chosen): string | undefined => {
    const result = build(request);
    return result.built ? undefined : result.why;
  };

  it('is not built with an empty required slot', () => {
    expect(why({ slots: [{ required: true }] })).toBe('phenix.example: no file for its input "data"');
    expect(why({ slots: [{ required: true }], categories })).toBeUndefined();
  });

  it('is not built with an empty group of slots', () => {
    const program = { any_of: [['data', 'more']] };
    const slots = [{}, { slot: 'more' }];
    expect(why({ slots, program })).toBe('phenix.example: no file for any of its inputs "data", "more"');
    expect(why({ slots: [{ categories: ['nothing'] }, { slot: 'more' }], categories, program })).toBeUndefined();
  });
});

describe('dictionaries', () => {
  const [nut, mes] = [dictionaryFile('NUT'), dictionaryFile('MES')];
  const both = aFile({
    path: '/data/both.cif',
    facts: { format: 'restraints', restraints: { codes: ['NUT', 'MES'] } },
  });
  const water = dictionaryFile('HOH');
  const dictionaries = (
    codes: InputSlot['codes'],
    held: readonly string[] | undefined,
    facts = {},
  ): readonly string[] => {
    const model: Partial<InputSlot> = { slot: 'model', formats: ['pdb'], categories: ['model'] };
    const ligand: Partial<InputSlot> = {
      slot: 'ligand',
      formats: ['restraints'],
      categories: ['ligand_cif'],
      multiple: true,
    };
    const slots = [model, { ...ligand, ...(codes === undefined ? {} : { codes }) }];
    const models = held === undefined ? [] : [modelFile('/data/m.pdb', { ligandCodes: held })];
    return chosen({ slots, facts, categories: { model: models, ligand_cif: [nut, mes, both, water] } })
      .filter((one) => one.startsWith('ligand'))
      .map((one) => /data\/(\w+)/.exec(one)![1]!);
  };

  it('go into a slot of any component', () => {
    expect(dictionaries(undefined, ['NUT'])).toEqual(['NUT', 'MES', 'both', 'HOH']);
  });

  it('of components of the model are included; those without a ligand always are', () => {
    expect(dictionaries('in_model', ['NUT'])).toEqual(['NUT', 'both', 'HOH']);
    expect(dictionaries('in_model', [])).toEqual(['HOH']);
  });

  it('of missing components are fitted', () => {
    expect(dictionaries('not_in_model', ['NUT'])).toEqual(['MES', 'both']);
  });

  it('of the component that is fitted now come before all others', () => {
    expect(dictionaries('not_in_model', ['NUT'], { ligand_code: 'NUT' })).toEqual(['NUT', 'both']);
  });

  it('are included in a command without a model, but not in a slot for missing components', () => {
    expect(dictionaries('in_model', undefined)).toEqual(['NUT', 'MES', 'both', 'HOH']);
    expect(dictionaries('not_in_model', undefined)).toEqual([]);
  });
});
