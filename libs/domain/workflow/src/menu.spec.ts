import type { SessionDirectives } from '@fleet/contracts/guidance';
import { smallWorkflow, type Given } from '@fleet/testing';
import { openMenu, type Menu } from './menu';

const { ruleBook, sessionOf } = smallWorkflow();

const menuOf = (given: Given): Menu => openMenu(sessionOf(given), ruleBook());
const short = (name: string): string => name.replace('phenix.', '');
const offered = (given: Given): readonly string[] => menuOf(given).offered.map(({ program }) => short(program));
const refusedBy = (menu: Menu): Readonly<Record<string, readonly [string, string]>> =>
  Object.fromEntries(menu.refused.map(({ program, reason, why }) => [short(program), [reason, why]]));

describe('a menu', () => {
  it('is that of the first step whose rule holds', () => {
    expect(menuOf({ step: 'analyse' })).toMatchObject({
      rule: 'to_analyse',
      step: 'analyse',
      state: 'initial',
      why: 'at 0.3',
    });
  });

  it('is complete if no rule holds', () => {
    const session = sessionOf({});
    const nowhere = { ...session, workflow: { ...session.workflow, detection: [], steps: {} } };
    expect(openMenu(nowhere, ruleBook())).toMatchObject({
      rule: 'done',
      why: 'no rule holds',
      step: 'complete',
      state: 'complete',
      offered: [],
      validPrograms: ['STOP'],
    });
  });

  it('offers a program at its first entry that holds, with the reason there', () => {
    expect(menuOf({ facts: { worse: true, poor: true } }).offered).toEqual([
      { program: 'phenix.refine', why: 'worse by 0.25' },
      { program: 'phenix.build', why: 'build is next' },
    ]);
    expect(menuOf({}).offered).toEqual([{ program: 'phenix.refine', why: 'refine again' }]);
    expect(menuOf({ facts: { poor: true } }).validPrograms).toEqual(['phenix.build', 'phenix.refine']);
  });

  it('gives a reason for each other program of the experiment', () => {
    const unavailability = { kind: 'not_installed', why: 'nobody has it' } as const;
    expect(refusedBy(menuOf({ states: { fit: { unavailability } } }))).toEqual({
      build: ['condition', 'not now: build is next'],
      look: ['other_step', 'not part of the step "refine"'],
      once: ['other_step', 'not part of the step "refine"'],
      place: ['other_step', 'not part of the step "refine"'],
      check: ['other_step', 'not part of the step "refine"'],
      fit: ['not_installed', 'nobody has it'],
    });
  });

  it('gives the reason once for each program of its step that is not offered', () => {
    const unavailability = { kind: 'failed', why: 'failed twice' } as const;
    const menu = menuOf({ states: { refine: { unavailability } }, facts: { poor: true, 'lacks.build': true } });
    expect(menu).toMatchObject({ offered: [], validPrograms: ['STOP'] });
    expect(refusedBy(menu)).toMatchObject({
      refine: ['failed', 'failed twice'],
      build: ['requirement', 'it lacks data'],
    });
    expect(menu.refused.filter(({ program }) => program === 'phenix.refine')).toHaveLength(1);
  });

  it('excludes a program that runs only once and has run', () => {
    expect(offered({ step: 'analyse' })).toEqual(['look', 'once']);
    expect(refusedBy(menuOf({ step: 'analyse', states: { once: { runs: 1 }, look: { runs: 1 } } }))).toMatchObject({
      once: ['done', 'it runs only once and has already run'],
    });
    expect(offered({ step: 'analyse', states: { look: { runs: 1 } } })).toContain('look');
  });

  it('of a step without offers is that of the next step', () => {
    const facts = { 'lacks.check': true, last_look: true };
    expect(menuOf({ step: 'validate', facts })).toMatchObject({ step: 'finish', state: 'finished' });
    expect(menuOf({ step: 'validate' })).toMatchObject({ step: 'validate', validPrograms: ['phenix.check'] });
  });
});

describe('a requested program', () => {
  const startWith = (program: string): SessionDirectives => ({
    stop_conditions: { start_with_program: `phenix.${program}` },
  });
  const endWith = (program: string): SessionDirectives => ({ stop_conditions: { after_program: `phenix.${program}` } });

  it('start_with_program comes first until it was tried, if it can run', () => {
    expect(menuOf({ directives: startWith('look') })).toMatchObject({
      offered: [{ program: 'phenix.look', why: 'the submitter asked to start with it' }, { program: 'phenix.refine' }],
      applied: ['phenix.look: the submitter asked to start with it'],
    });
    expect(offered({ directives: startWith('look'), states: { look: { fails: 1, lastTried: 1 } } })).toEqual([
      'refine',
    ]);
    expect(offered({ directives: startWith('look'), facts: { 'lacks.look': true } })).toEqual(['refine']);
    expect(offered({ directives: startWith('dock') })).toEqual(['refine']);
    expect(offered({ directives: startWith('nonsense') })).toEqual(['refine']);
  });

  it('after_program comes first until it ran, if the step may offer it', () => {
    const ranIt = { runs: 1, last: 2, lastTried: 2 };
    expect(menuOf({ directives: endWith('check') }).applied).toEqual([
      'phenix.check: the submitter asked to stop after it',
    ]);
    expect(offered({ directives: endWith('check') })).toEqual(['check', 'refine']);
    expect(offered({ directives: endWith('check'), states: { check: ranIt } })).toEqual(['refine']);
    expect(offered({ directives: endWith('check'), step: 'place' })).toEqual(['place']);
    expect(offered({ directives: endWith('look'), step: 'place' })).toEqual(['look', 'place']);
    expect(offered({ directives: endWith('look'), step: 'combine' })).toEqual(['fit']);
    expect(offered({ directives: endWith('check'), facts: { 'lacks.check': true } })).toEqual(['refine']);
  });

  it('of new advice comes first again', () => {
    const states = { check: { runs: 1, last: 2, lastTried: 2 }, look: { fails: 1, lastTried: 2 } };
    const steering = { adviceChangedAfter: 2 };
    expect(offered({ directives: endWith('check'), states, steering })).toEqual(['check', 'refine']);
    expect(offered({ directives: startWith('look'), states, steering })).toEqual(['look', 'refine']);
    expect(offered({ directives: endWith('check'), states, steering: { adviceChangedAfter: 1 } })).toEqual(['refine']);
  });

  it('of settings comes after the others, until it ran', () => {
    const directives: SessionDirectives = { program_settings: { 'phenix.look': {}, default: {} } };
    expect(menuOf({ directives })).toMatchObject({
      offered: [{ program: 'phenix.refine' }, { program: 'phenix.look', why: 'the submitter gave settings for it' }],
    });
    expect(offered({ directives, states: { look: { runs: 1, last: 1 } } })).toEqual(['refine']);
    expect(offered({ directives, step: 'complete' })).toEqual([]);
    expect(offered({ directives, step: 'analyse' })).toEqual(['look', 'once']);
    expect(offered({ directives, step: 'combine' })).toEqual(['fit']);
  });

  it('of settings comes first in its own step after new advice, and runs once more', () => {
    const directives: SessionDirectives = { program_settings: { 'phenix.once': {}, 'phenix.fit': {}, default: {} } };
    const facts = { advice_changed: true };
    const steering = { adviceChangedAfter: 2 };
    expect(offered({ directives, step: 'analyse', facts, steering })).toEqual(['once', 'look', 'fit']);
    expect(offered({ directives, step: 'analyse', steering })).toEqual(['look', 'once', 'fit']);
    const states = { fit: { runs: 1, last: 2, lastTried: 2 } };
    expect(offered({ directives, facts, steering, states })).toEqual(['refine', 'once', 'fit']);
    expect(offered({ directives, steering, states })).toEqual(['refine', 'once']);
    expect(offered({ directives, facts, steering: { adviceChangedAfter: 1 }, states })).toEqual(['refine', 'once']);
  });

  it('of a preference comes first if the step offers it', () => {
    const prefer = (...names: readonly string[]): SessionDirectives => ({
      workflow_preferences: { prefer_programs: names.map((name) => `phenix.${name}`) },
    });
    const facts = { poor: true };
    expect(offered({ directives: prefer('refine'), facts })).toEqual(['refine', 'build']);
    expect(offered({ directives: prefer('refine', 'build'), facts })).toEqual(['refine', 'build']);
    expect(offered({ directives: prefer('build', 'refine'), facts })).toEqual(['build', 'refine']);
    expect(offered({ directives: prefer('check'), facts })).toEqual(['build', 'refine']);
    expect(offered({ directives: prefer('check') })).toEqual(['refine']);
  });

  it('of a preference is taken from another step if the step offers a single program', () => {
    const directives = { workflow_preferences: { prefer_programs: ['phenix.build'] } };
    expect(offered({ directives, step: 'place' })).toEqual(['build', 'place']);
    expect(offered({ directives, step: 'place', states: { build: { fails: 1 } } })).toEqual(['place']);
    expect(offered({ directives, step: 'place', facts: { 'lacks.build': true } })).toEqual(['place']);
    expect(offered({ directives, step: 'combine' })).toEqual(['fit']);
    const behind = { workflow_preferences: { prefer_programs: ['phenix.place'] } };
    expect(offered({ directives: behind })).toEqual(['refine']);
    expect(
      offered({ directives: { workflow_preferences: { prefer_programs: ['phenix.refine'] } }, step: 'place' }),
    ).toEqual(['place']);
  });

  it("of a client's retry comes before all others, until it was tried", () => {
    const steering = { retry: { program: 'phenix.look', after: 3 } };
    const retried = (lastTried: number): readonly string[] =>
      offered({ steering, directives: startWith('check'), states: { look: { fails: 1, lastTried } } });
    expect(retried(3)).toEqual(['look', 'check', 'refine']);
    expect(retried(4)).toEqual(['check', 'refine']);
    expect(offered({ steering, facts: { 'lacks.look': true } })).toEqual(['refine']);
  });

  it('is no longer listed as not offered', () => {
    expect(refusedBy(menuOf({ directives: startWith('look') }))).not.toHaveProperty('look');
  });
});
