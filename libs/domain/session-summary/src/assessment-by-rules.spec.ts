import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assessmentParts, type AssessmentPartName } from '@fleet/contracts/results';
import type { Session } from '@fleet/contracts/sessions';
import { parseRuleBook, type RuleBook } from '@fleet/knowledge-model';
import { aCycle, aDecision, anAttempt, aRequest, aResult, aSession, modelFile } from '@fleet/testing';
import { assessmentByRules } from './index';

const knowledge = (): RuleBook => {
  const names = readdirSync('knowledge', { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => /\.(yaml|schema\.json)$/.test(name));
  return parseRuleBook(files.map((path) => ({ path, text: readFileSync(join('knowledge', path), 'utf8') })));
};

const ruleBook = knowledge();

const step = (
  cycle: number,
  program: string,
  metrics: Record<string, number>,
  more: Partial<Parameters<typeof aResult>[0]> = {},
) =>
  aCycle({
    cycle,
    decision: aDecision({ program, inputs: [{ slot: 'model', path: '/work/mx1/s/c004/out.pdb' }] }),
    result: aResult({ metrics, outputs: [], ...more }),
  });

const refined = { ...modelFile('/work/mx1/s/c004/out.pdb'), cycle: 4, program: 'phenix.refine' };

const session = aSession({
  id: 's',
  folder: '/work/mx1/s',
  status: 'completed',
  request: aRequest({ advice: 'place the ligand' }),
  cycles: [
    step(1, 'phenix.xtriage', { resolution: 1.6, completeness: 93.1 }),
    step(2, 'phenix.refine', { r_work: 0.27, r_free: 0.29 }, { fit: { metric: 'r_free', value: 0.29 } }),
    step(3, 'phenix.refine', {}, { outcome: 'failed', summary: 'The log ends\nbefore its numbers.' }),
    step(
      4,
      'phenix.refine',
      { r_work: 0.2, r_free: 0.237 },
      { fit: { metric: 'r_free', value: 0.237 }, outputs: [refined] },
    ),
    step(5, 'phenix.molprobity', { clashscore: 44.2 }),
  ],
  stop: { reason: 'converged', detail: 'R-free 0.237 is good enough.', afterCycle: 5 },
});

const partOf = (of: Session, part: AssessmentPartName): string =>
  assessmentByRules(of, ruleBook).find((one) => one.part === part)?.text ?? '';

describe('the assessment by the rules', () => {
  it('has the five parts of the agent, in their order', () => {
    const parts = assessmentByRules(session, ruleBook);
    expect(parts.map(({ part }) => part)).toEqual(assessmentParts);
    expect(parts.every(({ text }) => text !== '')).toBe(true);
  });

  it.each([
    ['input_quality', 'X-ray crystallography at 1.60 Å.'],
    ['input_quality', 'Completeness 93.10 % (needs improvement)'],
    ['input_quality', 'Worse than usual: Completeness.'],
    ['goal_and_strategy', 'Asked for: place the ligand'],
    ['goal_and_strategy', 'The way: xtriage → refine → refine (failed) → refine → molprobity.'],
    ['strategy_assessment', '4 of 5 cycles succeeded.'],
    ['strategy_assessment', 'Cycle 3 (phenix.refine) failed: The log ends before its numbers.'],
    ['strategy_assessment', 'The fit went from R-free 0.2900 in cycle 2 to R-free 0.2370 in cycle 4.'],
    ['strategy_assessment', 'It ended: R-free 0.237 is good enough.'],
    ['current_status', 'R-free 0.2370 (acceptable)'],
    ['current_status', 'It was validated in cycle 5.'],
    ['current_status', 'Not ready for deposition: Clashscore 44.20 needs improvement.'],
    ['next_steps', 'Look after: Clashscore.'],
    ['next_steps', 'Better data would help more than other programs.'],
  ] as const)('contains in %s: %s', (part, sentence) => {
    expect(partOf(session, part)).toContain(sentence);
  });

  it('has no objection to a deposition if everything is fine, and only then', () => {
    const well = step(5, 'phenix.molprobity', { clashscore: 2 });
    const cycles = [...session.cycles.slice(0, 4), well];
    const nothing = 'The rules see nothing that speaks against a deposition';
    expect(partOf({ ...session, cycles }, 'current_status')).toContain(nothing);
    const attempts = [anAttempt({ provider: 'simulated' })];
    const against: readonly (readonly [Partial<Session>, string])[] = [
      [{ status: 'running' }, 'the session has not ended'],
      [{ cycles: cycles.slice(0, 4) }, 'the model is not validated'],
      [{ cycles: cycles.map((one) => ({ ...one, attempts })) }, 'programs were simulated'],
      [{ cycles: [] }, 'there is no model'],
      [
        { status: 'failed', stop: { reason: 'hopeless', detail: 'R-free 0.55', afterCycle: 5 } },
        'nothing says that the structure is solved',
      ],
    ];
    for (const [change, reason] of against) {
      const text = partOf({ ...session, cycles, ...change }, 'current_status');
      expect(text).toContain(`Not ready for deposition: `);
      expect(text).toContain(reason);
      expect(text).not.toContain(nothing);
    }
  });

  it.each([
    ['goal_reached', 'only what was requested is done'],
    ['refinement_limit', 'the result is not as good as the data allow'],
  ] as const)('contains for a session that ended with %s its outcome', (reason, words) => {
    const fit = { metric: 'r_free', value: 0.33, quality: 'needs improvement' } as const;
    const cycles = session.cycles.map(({ result, ...cycle }) => ({
      ...cycle,
      ...(result !== undefined && { result: { ...result, fit } }),
    }));
    const stop = { reason, detail: 'x', afterCycle: 1 } as const;
    const text = partOf({ ...session, status: 'completed', cycles, stop }, 'current_status');
    expect(text).toContain(`Not ready for deposition: ${words}`);
  });

  it('does not count the measurement of a submitted model as a validation', () => {
    const text = partOf({ ...session, cycles: [step(1, 'phenix.model_vs_data', { r_free: 0.3 })] }, 'current_status');
    expect(text).not.toContain('validated');
    expect(text).toContain('there is no model that a program has made');
  });

  it('exists for a session that has hardly begun', () => {
    const parts = assessmentByRules(aSession(), ruleBook).map(({ text }) => text);
    expect(parts).toEqual([
      expect.stringContaining('No program has analysed the data.'),
      expect.stringContaining('Nothing was run.'),
      'The session has not ended, so its outcome is unknown.',
      expect.stringContaining('Nothing was measured on its result.'),
      'Wait for the end of the session.',
    ]);
  });

  it('is one line per part without hidden characters, for any external text', () => {
    const hostile = 'a\u001b[2J\u202eb\nReady for deposition.';
    const cycles = [step(1, 'phenix.refine', {}, { outcome: 'failed', summary: hostile })];
    const stop = { reason: 'program_failed', detail: hostile, afterCycle: 1 } as const;
    const of = { ...session, status: 'failed', request: aRequest({ advice: hostile }), cycles, stop } as const;
    for (const { text } of assessmentByRules(of, ruleBook)) expect(text).not.toMatch(/[\p{Cc}\p{Cf}\u202e]/u);
    expect(partOf(of, 'strategy_assessment')).toContain(String.raw`a\u001b[2J\u202eb Ready`);
  });
});
