import type { SessionDirectives } from '@fleet/contracts/guidance';
import type { SessionStop } from '@fleet/contracts/sessions';
import type { RuleBook, SanityCheck } from '@fleet/knowledge-model';
import { aProgram, aRequest, dataFile, mapFile, modelFile, ran, smallWorkflow, type Given } from '@fleet/testing';
import { leftOutWishes } from './applied-wishes';
import type { DescribedSession } from './describe-session';
import { lostProductOf } from './done-products';
import { openMenu } from './menu';
import { abortingIssue, sanityIssues } from './sanity';
import { advised, stopOfEmptyMenu } from './stops';
import { unavailableWishes } from './unavailable-wishes';

const { ruleBook, sessionOf } = smallWorkflow();

describe('what the submitter asked for in vain', () => {
  const vain = (given: Given, cycles = [ran(1, 'look')]): readonly unknown[] =>
    unavailableWishes(sessionOf(given), ruleBook(), { cycles });
  const missing = { kind: 'not_installed', why: 'nobody has it' } as const;
  const states = { look: { unavailability: missing }, check: { unavailability: missing } };

  it('is a program that will never run here, and one to start with that cannot run now', () => {
    const directives: SessionDirectives = {
      stop_conditions: { after_program: 'phenix.dock', start_with_program: 'phenix.place' },
      workflow_preferences: { prefer_programs: ['phenix.look', 'phenix.refine'] },
      program_settings: { default: {}, 'phenix.check': {}, 'phenix.build': {} },
    };
    const facts = { 'lacks.place': true, 'lacks.build': true };
    expect(vain({ directives, states, facts }, [])).toEqual([
      { asked: 'phenix.place', field: 'stop_conditions.start_with_program', why: 'it lacks data' },
      { asked: 'phenix.dock', field: 'stop_conditions.after_program', why: 'no program for xray' },
      { asked: 'phenix.look', field: 'workflow_preferences.prefer_programs', why: 'nobody has it' },
      { asked: 'phenix.check', field: 'program_settings.phenix.check', why: 'nobody has it' },
    ]);
    expect(vain({}, [])).toEqual([]);
  });

  it('is a file that the session does not have', () => {
    const files = (model: string): readonly unknown[] => {
      const session = sessionOf({});
      return unavailableWishes(
        { ...session, files: { ...session.files, preferences: { model, data_mtz: 'data.mtz' } } },
        ruleBook(),
        { cycles: [] },
      );
    };
    expect(files('model.pdb')).toEqual([]);
    expect(files('other.pdb')).toEqual([
      { asked: 'other.pdb', field: 'file_preferences.model', why: 'it is not a file of this session' },
    ]);
  });

  it('is told in the first decision, and in the first after new advice', () => {
    const directives: SessionDirectives = { stop_conditions: { after_program: 'phenix.dock' } };
    expect(vain({ directives }, [])).toHaveLength(1);
    expect(vain({ directives })).toEqual([]);
    expect(vain({ directives, steering: { adviceChangedAfter: 1 } })).toHaveLength(1);
    expect(vain({ directives, steering: { adviceChangedAfter: 0 } })).toEqual([]);
  });
});

describe('the stop of an empty menu', () => {
  const stopOf = (given: Given, cycles = [ran(3, 'look')]): SessionStop => {
    const session = sessionOf(given);
    return stopOfEmptyMenu(session, openMenu(session, ruleBook()), { cycles });
  };
  const reason = (kind: 'failed' | 'not_installed' | 'blocked' | 'skipped', why: string) => ({
    unavailability: { kind, why },
  });

  it('names the failure that ended it', () => {
    const states = { refine: reason('failed', 'failed twice') };
    const failed = ran(4, 'refine', { fails: 'it ran out of ideas' });
    expect(stopOf({ states }, [ran(2, 'refine', { fails: 'x' }), failed, ran(5, 'refine')])).toEqual({
      reason: 'program_failed',
      detail: 'phenix.refine failed in cycle 4: it ran out of ideas',
      afterCycle: 5,
    });
    expect(stopOf({ states })).toMatchObject({ reason: 'program_failed', detail: 'phenix.refine: failed twice' });
  });

  it.each(['not_installed', 'blocked', 'skipped'] as const)('names what cannot run here: %s', (kind) => {
    expect(stopOf({ states: { refine: reason(kind, 'not here') } })).toEqual({
      reason: 'no_program',
      detail: 'The next step cannot run here: at 0.3. phenix.refine: not here.',
      afterCycle: 3,
    });
  });

  it('is what the step says where it is blocked', () => {
    expect(stopOf({ step: 'finish' }, [])).toEqual({ reason: 'no_program', detail: 'blocked at 0.3', afterCycle: 0 });
  });

  it('names what each program of the step lacks, the preferred one first', () => {
    const { detail } = stopOf({ facts: { 'lacks.refine': true } });
    expect(detail).toContain('phenix.refine: it lacks data; phenix.build: not now: build is next.');
    expect(detail).toMatch(/^No program can do the step "refine" \(at 0.3\)\./);
    expect(stopOf({ step: 'analyse', facts: { 'lacks.look': true }, states: { once: { runs: 1 } } }).detail).toContain(
      'phenix.look: it lacks data; phenix.once: it runs only once and has already run.',
    );
  });

  it('is a rule of the workflow where one holds, with the notes that hold', () => {
    const session = sessionOf({ facts: { 'lacks.refine': true } });
    const rule = {
      id: 'nothing',
      when: {
        all: [
          { fact: 'menu_empty', is: true },
          { fact: 'step', is: 'refine' },
        ],
      },
      reason: 'no_improvement',
      detail: 'nothing left at {loss:2}.',
      notes: [
        { when: { fact: 'worse', is: true }, text: 'It is worse.' },
        { when: { fact: 'loss', above: 0.1 }, text: 'It lost {loss:1}.' },
      ],
      why: 'a rule',
    } as unknown as DescribedSession['workflow']['stops'][number];
    const ruled = { ...session, workflow: { ...session.workflow, stops: [rule] } };
    expect(stopOfEmptyMenu(ruled, openMenu(ruled, ruleBook()), { cycles: [ran(3, 'look')] })).toEqual({
      reason: 'no_improvement',
      detail: 'nothing left at 0.25. It lost 0.3.',
      afterCycle: 3,
    });
  });

  it('comes with what to do next, as far as it holds', () => {
    const sentences = [
      { text: 'Submit it again.' },
      { when: { fact: 'worse', is: true } as const, text: 'It is worse.' },
      { when: { fact: 'loss', above: 0.1 } as const, text: 'It lost {loss:1}.' },
    ];
    const words = {
      no_program: { means: '', tried: '', next: '', said: sentences },
    } as unknown as RuleBook['stopWords'];
    const stop: SessionStop = { reason: 'no_program', detail: 'Nothing.', afterCycle: 1 };
    expect(advised(stop, { loss: 0.25 }, { stopWords: words })).toEqual({
      reason: 'no_program',
      detail: 'Nothing. Submit it again. It lost 0.3.',
      afterCycle: 1,
    });
  });
});

describe('what is left out because the submitter asked for it', () => {
  const leftOut = (step: string, count: number, steering: Given['steering'] = {}): readonly string[] => {
    const directives: SessionDirectives = {
      workflow_preferences: { skip_programs: ['phenix.look', 'phenix.refine', 'phenix.dock', 'phenix.nonsense'] },
      file_preferences: { exclude: ['model.pdb'] },
    };
    const request = aRequest({ inputs: [dataFile(), modelFile()], directives });
    const cycles = count === 0 ? [] : [ran(count, 'look')];
    return leftOutWishes(sessionOf({ steering }), { step }, ruleBook(), { request, cycles });
  };
  const look = 'phenix.look: left out, as the submitter asked';
  const refine = 'phenix.refine: left out, as the submitter asked';
  const model = 'model.pdb: not used, as the submitter asked';

  it('is told once, afterwards only of programs that the step would have', () => {
    expect(leftOut('refine', 0)).toEqual([look, refine, model]);
    expect(leftOut('refine', 1)).toEqual([refine]);
    expect(leftOut('analyse', 1)).toEqual([look]);
    expect(leftOut('nowhere', 1)).toEqual([]);
    expect(leftOut('place', 3, { adviceChangedAfter: 3 })).toEqual([look, refine, model]);
    expect(leftOut('place', 3, { adviceChangedAfter: 2 })).toEqual([]);
  });
});

describe('what looks wrong', () => {
  const check = (id: string, level: SanityCheck['level'], fact = 'loss'): SanityCheck => ({
    id,
    level,
    when: { fact, above: 0.1 },
    message: `${id} at {loss:1}`,
    suggestion: 'look again',
  });
  const issues = () => {
    const session = sessionOf({});
    const checks = [
      check('a', 'warning'),
      check('b', 'critical'),
      check('c', 'warning'),
      check('d', 'critical', 'gain'),
      check('e', 'critical'),
    ];
    return sanityIssues({ ...session, workflow: { ...session.workflow, checks } });
  };

  it('is told as far as it holds, what is critical first', () => {
    expect(issues().map(({ id }) => id)).toEqual(['b', 'e', 'a', 'c']);
    expect(issues()[0]).toEqual({ id: 'b', level: 'critical', message: 'b at 0.3', suggestion: 'look again' });
  });

  it('ends a session as its two switches say', () => {
    const ends = (abort_on_red_flags: boolean, abort_on_warnings: boolean): string | undefined =>
      abortingIssue(issues(), { abort_on_red_flags, abort_on_warnings })?.id;
    expect([ends(true, true), ends(true, false), ends(false, true), ends(false, false)]).toEqual([
      'b',
      'b',
      'a',
      undefined,
    ]);
  });
});

describe('a product that is gone', () => {
  const product = { names: ['PHASER*.pdb', 'other_*.pdb'], why: 'it places' };
  const lost = (successes: number, files: Parameters<typeof lostProductOf>[2], any_model?: boolean) => {
    const made = any_model === undefined ? product : { ...product, any_model };
    return lostProductOf(aProgram({ done: { flag: 'placed', strategy: 'count', product: made } }), successes, files);
  };

  it('clears the success of its program', () => {
    expect(lost(1, [dataFile()])).toEqual({
      program: 'phenix.example',
      flag: 'placed',
      message: expect.stringContaining('PHASER*.pdb, other_*.pdb') as string,
    });
    expect(lost(1, [modelFile('/w/PHASER.1.pdb')])).toBeUndefined();
    expect(lost(1, [mapFile('/w/x.ccp4'), modelFile('/w/other_1.pdb')])).toBeUndefined();
  });

  it('is believed the second time, and counts for nothing before the first', () => {
    expect([lost(0, []), lost(2, [])]).toEqual([undefined, undefined]);
    expect(lostProductOf(aProgram(), 1, [])).toBeUndefined();
  });

  it('may have been renamed where any model will do', () => {
    expect(lost(1, [modelFile()])).toBeDefined();
    expect(lost(1, [modelFile()], false)).toBeDefined();
    expect(lost(1, [modelFile()], true)).toBeUndefined();
    expect(lost(1, [dataFile()], true)).toBeDefined();
  });
});
