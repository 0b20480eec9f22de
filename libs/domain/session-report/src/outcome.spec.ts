import {
  sessionOutcomes,
  statusOfStopReason,
  type SessionFit,
  type SessionStop,
  type StopReason,
} from '@fleet/contracts/sessions';
import { aCycle, aResult, aSession } from '@fleet/testing';
import { explainedOutcome, outcomeOf, outcomesOfReason, outcomeTexts, rowOf } from './index';

const reasons = Object.keys(statusOfStopReason) as readonly StopReason[];
const ended = (reason: StopReason, afterCycle = 1, quality?: SessionFit['quality']): ReturnType<typeof outcomeOf> =>
  outcomeOf({
    status: statusOfStopReason[reason],
    stop: { reason, afterCycle },
    ...(quality !== undefined && { fit: { quality } }),
  });

describe('the outcome of a session', () => {
  it('is undefined while it runs or is being cancelled', () => {
    expect(outcomeOf({ status: 'running' })).toBeUndefined();
    expect(outcomeOf({ status: 'cancelling' })).toBeUndefined();
    expect(explainedOutcome(aSession())).toBeUndefined();
  });

  it.each([
    ['converged', 'solved'],
    ['plateau', 'solved'],
    ['unsatisfactory', 'unsatisfactory'],
    ['hopeless', 'failed_science'],
    ['max_cycles', 'failed_science'],
    ['program_failed', 'failed_science'],
    ['infrastructure', 'failed_infrastructure'],
    ['error', 'failed_infrastructure'],
    ['cancelled', 'cancelled'],
    ['cycles_removed', 'cancelled'],
  ] as const)('of a session that ended with %s is %s', (reason, outcome) => {
    expect(ended(reason)).toBe(outcome);
  });

  it.each([
    ['goal_reached', 'goal_reached', 'goal_reached'],
    ['refinement_limit', 'unknown', 'unfinished'],
    ['nothing_left', 'unknown', 'unfinished'],
  ] as const)(
    'of one that ended with %s depends on its fit: the end alone does not show that it is solved',
    (reason, unmeasured, poor) => {
      expect(ended(reason)).toBe(unmeasured);
      expect(ended(reason, 3, 'needs improvement')).toBe(poor);
      expect(ended(reason, 3, 'acceptable')).toBe('solved');
      expect(ended(reason, 3, 'good')).toBe('solved');
    },
  );

  it.each(['no_program', 'red_flag'] as const)('of one with %s is rejected only if nothing was run', (reason) => {
    expect(ended(reason, 0)).toBe('rejected');
    expect(ended(reason, 1)).toBe('failed_science');
  });

  it('follows the status for an unknown or missing reason', () => {
    const newer = { reason: 'bored', afterCycle: 1 } as unknown as SessionStop;
    expect(outcomeOf({ status: 'completed', stop: newer })).toBe('unknown');
    expect(outcomeOf({ status: 'failed', stop: { ...newer, reason: 'toString' as StopReason } })).toBe(
      'failed_science',
    );
    expect(outcomeOf({ status: 'cancelled' })).toBe('cancelled');
  });

  it('is the same for the record and for its row', () => {
    const fit = { metric: 'r_free', value: 0.21, quality: 'good' } as const;
    const stop = { reason: 'goal_reached', detail: 'done', afterCycle: 1 } as const;
    const session = aSession({ status: 'completed', stop, cycles: [aCycle({ result: { ...aResult(), fit } })] });
    expect(explainedOutcome(session)).toEqual({ word: 'solved', ...outcomeTexts.solved });
    expect(rowOf(session).outcome).toBe('solved');
    expect(rowOf(aSession())).not.toHaveProperty('outcome');
  });

  it('contains the finding of the last program if the request is fulfilled', () => {
    const stop = { reason: 'goal_reached', detail: 'as requested', afterCycle: 1 } as const;
    const result = { ...aResult(), summary: 'Resolution 2.10 Å' };
    const session = aSession({ status: 'completed', stop, cycles: [aCycle({ result })] });
    const { program } = aCycle().decision;
    expect(explainedOutcome(session)).toEqual({
      word: 'goal_reached',
      sentence: `The requested work is done. ${program}: Resolution 2.10 Å.`,
      next: outcomeTexts.goal_reached.next,
    });
    expect(explainedOutcome({ ...session, cycles: [] })?.sentence).toBe('The requested work is done.');
  });

  it('has exactly the defined values', () => {
    expect(new Set(reasons.flatMap(outcomesOfReason))).toEqual(new Set(sessionOutcomes));
  });
});
