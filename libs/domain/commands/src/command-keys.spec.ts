import type { ProgramSettings } from '@fleet/contracts/guidance';
import type { StrategyValue } from '@fleet/contracts/schema';
import type { StatedRecovery } from '@fleet/contracts/sessions';
import type { Condition, FillValue, ParameterType, ProgramKnowledge, StrategyKey } from '@fleet/knowledge-model';
import { aProgram, aSlot, dataFile, modelFile } from '@fleet/testing';
import type { Recovery } from '@fleet/workflow';
import { buildCommand } from './build-command';
import type { BuiltCommand, CommandRequest } from './command-types';

interface KeyChanges {
  readonly type?: ParameterType;
  readonly when?: Condition;
  readonly otherwise?: string;
}

/** A number from 0 to 99 by default. */
const key = (
  name: string,
  { type = { type: 'integer', min: 0, max: 99 }, ...changes }: KeyChanges = {},
): StrategyKey => ({
  key: name,
  parameter: `scope.${name}`,
  source: 'its PHIL',
  ...type,
  ...changes,
});

const program = (changes: Partial<ProgramKnowledge> = {}): ProgramKnowledge =>
  aProgram({ strategy: [key('cycles'), key('nproc'), key('quiet', { type: { type: 'boolean' } })], ...changes });

const data = dataFile();
const nothingLearnt: Recovery = { set: {}, dropKeys: [], dropSlots: [], dropParameters: [], why: [], retry: true };

const command = (changes: Partial<CommandRequest> = {}): BuiltCommand => {
  const result = buildCommand({
    program: program(),
    files: { all: [data], byCategory: new Map([['data_mtz', [data]]]), best: new Map(), ranked: new Map() },
    facts: {},
    strategy: {},
    ...changes,
  });
  if (!result.built) throw new Error(result.why);
  return result.command;
};

/** The arguments after the file. */
const set = (changes: Partial<CommandRequest> = {}): readonly string[] => command(changes).argv.slice(2);

describe('a twin law that is omitted', () => {
  it('excludes the one that the data have, too', () => {
    const rules = program({
      strategy: [key('twin_law', { type: { type: 'twin_law' } })],
      auto_fill: [
        { key: 'twin_law', value: { fact: 'xtriage.twin_law' }, when: { fact: 'twinned', is: true }, why: 'twinned' },
      ],
    });
    const facts = { twinned: true, 'xtriage.twin_law': 'h,-k,-l' };
    expect(set({ program: rules, facts })).toEqual(['scope.twin_law=h,-k,-l']);
    expect(set({ program: rules, facts, settings: { 'phenix.example': { twin_law: false } } })).toEqual([]);
  });
});

describe('of several values for a key', () => {
  const strategy: Readonly<Record<string, StrategyValue>> = { cycles: 1 };
  const settings: ProgramSettings = { 'phenix.example': { cycles: 2 }, default: { cycles: 3 } };
  const recovery = { ...nothingLearnt, set: { cycles: 4 }, why: ['one', 'two', 'the last lesson'] };

  it.each<[string, Partial<CommandRequest>, string, string, string]>([
    [
      'what a failure taught beats them all',
      { strategy, settings, recovery },
      'scope.cycles=4',
      'recovery',
      'cycles: the last lesson',
    ],
    [
      "the submitter's beats the decision's",
      { strategy, settings },
      'scope.cycles=2',
      'directive',
      'cycles: set by the submitter',
    ],
    [
      "the submitter's for all programs beats the decision's too",
      { strategy, settings: { default: { cycles: 3 } } },
      'scope.cycles=3',
      'directive',
      'cycles: set by the submitter for all programs',
    ],
    [
      "the decision's beats the submitter's from the second attempt on",
      { strategy, settings, attempt: 1 },
      'scope.cycles=1',
      'strategy',
      'cycles: asked for',
    ],
  ])('%s', (_what, request, token, source, detail) => {
    const result = command(request);
    const { tokens, rejected } = result;
    expect(tokens.slice(2)).toEqual([{ token, source, detail }]);
    expect(rejected).toEqual([]);
    expect(result.strategy).toEqual({ cycles: Number(token.split('=')[1]) });
  });

  it('a later one may still set another key', () => {
    const steering = { settings, strategy: { nproc: 5 } };
    expect(set(steering)).toEqual(['scope.cycles=2', 'scope.nproc=5']);
    expect(set({ ...steering, attempt: 1 })).toEqual(['scope.nproc=5', 'scope.cycles=2']);
  });

  it('a correction without a sentence is reported as an earlier failure', () => {
    const { tokens } = command({ recovery: { ...nothingLearnt, set: { cycles: 4 } } });
    expect(tokens.at(-1)).toEqual({
      token: 'scope.cycles=4',
      source: 'recovery',
      detail: 'cycles: an earlier failure',
    });
  });
});

describe('a key that the program does not know', () => {
  it('is rejected if it is meant for this program', () => {
    const why = 'phenix.example has no such parameter';
    expect(command({ strategy: { colour: 1 } }).rejected).toEqual([{ key: 'colour', why }]);
    expect(command({ settings: { 'phenix.example': { colour: 1 } } }).rejected).toEqual([{ key: 'colour', why }]);
  });

  it('is ignored if it is meant for all programs', () => {
    expect(command({ settings: { default: { colour: 1 } } }).rejected).toEqual([]);
  });
});

describe("a client's finding about a file", () => {
  const stated = (changes: Partial<StatedRecovery> = {}): StatedRecovery => ({
    file: '/data/data.mtz',
    programs: ['phenix.example'],
    set: { cycles: 7 },
    why: 'as seen elsewhere',
    ...changes,
  });

  it.each([
    ['its program', {}],
    ['any program', { programs: [] }],
    ['a file by its name alone', { file: 'data.mtz' }],
  ])('is set for %s', (_what, changes) => {
    expect(command({ stated: [stated(changes)] }).tokens.at(-1)).toEqual({
      token: 'scope.cycles=7',
      source: 'recovery',
      detail: 'cycles: as seen elsewhere',
    });
  });

  it.each([
    ['another program', { programs: ['phenix.refine'] }],
    ['a file that the command does not have', { file: '/data/other.mtz' }],
  ])('is not set for %s', (_what, changes) => {
    expect(set({ stated: [stated(changes)] })).toEqual([]);
  });

  it('is rejected if its program does not have the key, and ignored if it names no program', () => {
    expect(command({ stated: [stated({ set: { colour: 1 } })] }).rejected).toHaveLength(1);
    expect(command({ stated: [stated({ set: { colour: 1 }, programs: [] })] }).rejected).toEqual([]);
  });
});

describe('a parameter that made the program fail before', () => {
  const requested = { strategy: { cycles: 1 } };
  const why = 'made the program fail before';

  it.each([
    ['by its key', { recovery: { ...nothingLearnt, dropKeys: ['cycles'] } }],
    ['by its name', { recovery: { ...nothingLearnt, dropParameters: ['scope.cycles'] } }],
    ['by the last part of its name', { refused: ['cycles'] }],
  ])('is rejected, known %s', (_how, known: Partial<CommandRequest>) => {
    const { rejected, argv } = command({ ...requested, ...known });
    expect(rejected).toEqual([{ key: 'cycles', why }]);
    expect(argv.slice(2)).toEqual([]);
  });

  it('is reported for each source that requested it', () => {
    const settings = { default: { cycles: 2 } };
    expect(command({ ...requested, settings, refused: ['cycles'] }).rejected).toEqual([
      { key: 'cycles', why },
      { key: 'cycles', why },
    ]);
  });

  it('is not filled in either, and no default sets it', () => {
    const filling = program({
      defaults: [{ parameter: 'scope.quiet', value: true, source: 'its PHIL', why: 'always' }],
      auto_fill: [{ key: 'cycles', value: { constant: 3 }, why: 'by rule' }],
    });
    expect(set({ program: filling })).toEqual(['scope.quiet=True', 'scope.cycles=3']);
    expect(set({ program: filling, refused: ['scope.cycles', 'scope.quiet'] })).toEqual([]);
  });

  it('does not affect the others', () => {
    expect(set({ strategy: { cycles: 1, nproc: 2 }, refused: ['cycles'] })).toEqual(['scope.nproc=2']);
  });
});

describe('a key that applies only under a condition', () => {
  const conditional = (otherwise: KeyChanges): ProgramKnowledge =>
    program({ strategy: [key('cycles', { when: { fact: 'twinned', is: true }, ...otherwise })] });
  const strategy = { cycles: 1 };

  it('is set if it holds', () => {
    expect(set({ program: conditional({}), strategy, facts: { twinned: true } })).toEqual(['scope.cycles=1']);
  });

  it.each([
    [{ otherwise: 'only twinned data need it' }, 'only twinned data need it'],
    [{}, 'does not apply now'],
  ])('is rejected with its reason if it does not: %j', (otherwise, why) => {
    expect(command({ program: conditional(otherwise), strategy, facts: { twinned: false } }).rejected).toEqual([
      { key: 'cycles', why },
    ]);
  });
});

describe('a key that was not set', () => {
  const filling = (value: FillValue, type?: ParameterType): ProgramKnowledge =>
    program({
      strategy: [key('cycles', type === undefined ? {} : { type })],
      auto_fill: [{ key: 'cycles', value, why: 'by rule' }],
    });
  const number = { type: 'number', min: 0, max: 99 } as const;

  it('is filled by its rule, with a report', () => {
    expect(command({ program: filling({ constant: 3 }) }).tokens.at(-1)).toEqual({
      token: 'scope.cycles=3',
      source: 'autofill',
      detail: 'cycles: by rule',
    });
  });

  it('is filled from a fact, rounded if the rule says so', () => {
    expect(set({ program: filling({ fact: 'found' }, number), facts: { found: 2.987 } })).toEqual([
      'scope.cycles=2.987',
    ]);
    const rounded = filling({ fact: 'found', decimals: 1 }, number);
    expect(set({ program: rounded, facts: { found: 2.987 } })).toEqual(['scope.cycles=3']);
  });

  it('stays unset if its fact is unknown', () => {
    expect(set({ program: filling({ fact: 'found' }) })).toEqual([]);
  });

  it('remains as it was set', () => {
    expect(set({ program: filling({ constant: 3 }), strategy: { cycles: 1 } })).toEqual(['scope.cycles=1']);
  });

  it('is rejected if the value in files or logs has the wrong type', () => {
    const { rejected, argv } = command({ program: filling({ fact: 'found' }), facts: { found: 'many' } });
    expect(argv).toHaveLength(2);
    expect(rejected).toEqual([
      { key: 'cycles', why: 'must be a whole number from 0 to 99; the files or logs say something else' },
    ]);
  });

  it('is filled by the first of its rules that applies', () => {
    const rules = program({
      auto_fill: [
        { key: 'nosuch', value: { constant: 1 }, why: 'a key of nobody' },
        { key: 'cycles', value: { constant: 2 }, when: { fact: 'twinned', is: true }, why: 'twinned' },
        { key: 'cycles', value: { constant: 3 }, why: 'else' },
        { key: 'cycles', value: { constant: 4 }, why: 'never' },
      ],
    });
    expect(set({ program: rules, facts: { twinned: true } })).toEqual(['scope.cycles=2']);
    expect(set({ program: rules, facts: { twinned: false } })).toEqual(['scope.cycles=3']);
  });

  it('is numbered by all runs of the program, including ignored ones', () => {
    const facts = { 'runs.example': 2, 'set_aside.example': 1 };
    expect(set({ program: filling({ run_label: 'example' }, { type: 'output_name' }), facts })).toEqual([
      'scope.cycles=example_004',
    ]);
  });
});

describe('a default', () => {
  const quiet = program({ defaults: [{ parameter: 'scope.cycles', value: 9, source: 'its PHIL', why: 'always' }] });

  it('is set and reported', () => {
    expect(command({ program: quiet }).tokens.at(-1)).toEqual({
      token: 'scope.cycles=9',
      source: 'default',
      detail: 'always',
    });
  });

  it('yields to a key of the same parameter', () => {
    expect(set({ program: quiet, strategy: { cycles: 1 } })).toEqual(['scope.cycles=1']);
  });
});

describe('an omission after a failure', () => {
  it('is a slot of the command', () => {
    const model = modelFile();
    const files = {
      all: [data, model],
      byCategory: new Map([
        ['data_mtz', [data]],
        ['model', [model]],
      ]),
      best: new Map(),
      ranked: new Map(),
    };
    const two = program({
      inputs: [aSlot(), aSlot({ slot: 'model', formats: ['pdb'], categories: ['model'], required: false })],
    });
    expect(command({ program: two, files }).argv).toEqual(['phenix.example', '/data/data.mtz', '/data/model.pdb']);
    const recovery = { ...nothingLearnt, dropSlots: ['model'] };
    expect(command({ program: two, files, recovery }).argv).toEqual(['phenix.example', '/data/data.mtz']);
  });
});
