import type { SessionDirectives } from '@fleet/contracts/guidance';
import type { SessionStop } from '@fleet/contracts/sessions';
import type { RuleBook, SanityCheck } from '@fleet/knowledge-model';
import { aProgram, aRequest, dataFile, mapFile, modelFile, ran, smallWorkflow, type Given } from '@fleet/testing';
import { skippedRequests } from './applied-requests';
import type { DescribedSession } from './describe-session';
import { lostProductOf } from './done-products';
import { openMenu } from './menu';
import { abortingIssue, sanityIssues } from './sanity';
import { advised, stopOfEmptyMenu } from './stops';
import { unavailableRequests } from './unavailable-requests';

const { ruleBook, sessionOf } = smallWorkflow();

describe('an unavailable request', () => {
  const unavailable = (given: Given, cycles = [ran(1, 'look')]): readonly unknown[] =>
    unavailableRequests(sessionOf(given), ruleBook(), { cycles });
  const missing = { kind: 'not_installed', why: 'nobody has it' } as const;
  const states = { look: { unavailability: missing }, check: { unavailability: missing } };

  it('is a program that can never run here, or a start_with_program that cannot run now', () => {
    const directives: SessionDirectives = {
      stop_conditions: { after_program: 'phenix.dock', start_with_program: 'phenix.place' },
      workflow_preferences: { prefer_programs: ['phenix.look', 'phenix.refine'] },
      program_settings: { default: {}, 'phenix.check': {}, 'phenix.build': {} },
    };
    const facts = { 'lacks.place': true, 'lacks.build': true };
    expect(unavailable({ directives, states, facts }, [])).toEqual([
      { asked: 'phenix.place', field: 'stop_conditions.start_with_program', why: 'it lacks data' },
      { asked: 'phenix.dock', field: 'stop_conditions.after_program', why: 'no program for xray' },
      { asked: 'phenix.look', field: 'workflow_preferences.prefer_programs', why: 'nobody has it' },
      { asked: 'phenix.check', field: 'program_settings.phenix.check', why: 'nobody has it' },
    ]);
    expect(unavailable({}, [])).toEqual([]);
  });

  it('is a file that the session does not have', () => {
    const files = (model: string): readonly unknown[] => {
      const session = sessionOf({});
      return unavailableRequests(
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

  it('is reported in the first decision, and in the first after new advice', () => {
    const directives: SessionDirectives = { stop_conditions: { after_program: 'phenix.dock' } };
    expect(unavailable({ directives }, [])).toHaveLength(1);
    expect(unavailable({ directives })).toEqual([]);
    expect(unavailable({ directives, steering: { adviceChangedAfter: 1 } })).toHaveLength(1);
    expect(unavailable({ directives, steering: { adviceChangedAfter: 0 } })).toEqual([]);
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

  it('names the failure that caused it', () => {
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

  it('gives the reason of the step if the step is blocked', () => {
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

  it('is the completion rule that holds, with its notes', () => {
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

  it('adds the next steps that apply', () => {
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

describe('programs excluded on request', () => {
  const leftOut = (step: string, count: number, steering: Given['steering'] = {}): readonly string[] => {
    const directives: SessionDirectives = {
      workflow_preferences: { skip_programs: ['phenix.look', 'phenix.refine', 'phenix.dock', 'phenix.nonsense'] },
      file_preferences: { exclude: ['model.pdb'] },
    };
    const request = aRequest({ inputs: [dataFile(), modelFile()], directives });
    const cycles = count === 0 ? [] : [ran(count, 'look')];
    return skippedRequests(sessionOf({ steering }), { step }, ruleBook(), { request, cycles });
  };
  const look = 'phenix.look: left out, as the submitter asked';
  const refine = 'phenix.refine: left out, as the submitter asked';
  const model = 'model.pdb: not used, as the submitter asked';

  it('are reported once, afterwards only those of the current step', () => {
    expect(leftOut('refine', 0)).toEqual([look, refine, model]);
    expect(leftOut('refine', 1)).toEqual([refine]);
    expect(leftOut('analyse', 1)).toEqual([look]);
    expect(leftOut('nowhere', 1)).toEqual([]);
    expect(leftOut('place', 3, { adviceChangedAfter: 3 })).toEqual([look, refine, model]);
    expect(leftOut('place', 3, { adviceChangedAfter: 2 })).toEqual([]);
  });
});

describe('an empty menu after sanity issues', () => {
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

  it('are listed if they apply, critical ones first', () => {
    expect(issues().map(({ id }) => id)).toEqual(['b', 'e', 'a', 'c']);
    expect(issues()[0]).toEqual({ id: 'b', level: 'critical', message: 'b at 0.3', suggestion: 'look again' });
  });

  it('end a session as its two switches say', () => {
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

describe('an empty menu after a missing output', () => {
  const product = { names: ['PHASER*.pdb', 'other_*.pdb'], why: 'it places' };
  const lost = (successes: number, files: Parameters<typeof lostProductOf>[2], any_model?: boolean) => {
    const made = any_model === undefined ? product : { ...product, any_model };
    return lostProductOf(aProgram({ done: { flag: 'placed', strategy: 'count', product: made } }), successes, files);
  };

  it('cancels the success of its program', () => {
    expect(lost(1, [dataFile()])).toEqual({
      program: 'phenix.example',
      flag: 'placed',
      message: expect.stringContaining('PHASER*.pdb, other_*.pdb') as string,
    });
    expect(lost(1, [modelFile('/w/PHASER.1.pdb')])).toBeUndefined();
    expect(lost(1, [mapFile('/w/x.ccp4'), modelFile('/w/other_1.pdb')])).toBeUndefined();
  });

  it('is accepted the second time, and does not count before the first', () => {
    expect([lost(0, []), lost(2, [])]).toEqual([undefined, undefined]);
    expect(lostProductOf(aProgram(), 1, [])).toBeUndefined();
  });

  it('may have been renamed if any model will do', () => {
    expect(lost(1, [modelFile()])).toBeDefined();
    expect(lost(1, [modelFile()], false)).toBeDefined();
    expect(lost(1, [modelFile()], true)).toBeUndefined();
    expect(lost(1, [dataFile()], true)).toBeDefined();
  });
});
