import type { FieldProblem } from '@fleet/contracts/faults';
import { isEnded, statusOfStopReason, type Session } from '@fleet/contracts/sessions';

const isIncreasing = (numbers: readonly number[], last = Infinity): boolean =>
  numbers.every((number, index) => number > (numbers[index - 1] ?? 0) && number <= last);

type Say = (field: string, reason: string) => void;

const checkNumbers = ({ cycle, cycles }: Session, say: Say): void => {
  const numbers = cycles.map((record) => record.cycle);
  if (!isIncreasing(numbers, cycle)) say('cycles', 'are not in the order of their numbers');
  const attempts = cycles.map((record) => record.attempts.map((one) => one.attempt));
  if (!attempts.every((some) => isIncreasing(some))) say('cycles', 'hold attempts that are not in order');
};

/** Invariants of every record that the service writes. */
const checkPosition = (session: Session, say: Say): void => {
  const { status, stage, cycle, cycles, stop } = session;
  if (!isEnded(status) && stage !== 'deciding' && cycles.at(-1)?.cycle !== cycle)
    say('stage', `cannot be ${stage} without the record of cycle ${String(cycle)}`);
  if (isEnded(status) !== (stop !== undefined)) say('stop', `does not fit the status ${status}`);
  else if (stop !== undefined && statusOfStopReason[stop.reason] !== status)
    say('stop.reason', `does not end a session as ${status}`);
};

/** Problems of a record that matches its schema: inconsistent stages and numbers. */
export const problemsOfRecord = (session: Session): readonly FieldProblem[] => {
  const problems: FieldProblem[] = [];
  const say: Say = (field, reason) => void problems.push({ field: `session.${field}`, reason });
  checkNumbers(session, say);
  checkPosition(session, say);
  return problems;
};
