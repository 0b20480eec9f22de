import {
  isEnded,
  parseDirectives,
  settingDefinitions,
  statusOfStopReason,
  type FieldProblem,
  type Session,
  type SettingDefinition,
} from '@fleet/contracts';
import { isProposalName } from './folder-names';

/** Cycles and attempts of one session; far more than the limits of a submission allow. */
const largestCycle = 100_000;
/** Years in which a session can have been made. */
const years = { first: 2000, last: 2100 } as const;

type Problems = FieldProblem[];

const isDate = (text: string): boolean => {
  const year = new Date(text).getUTCFullYear();
  return year >= years.first && year < years.last;
};

const checkDates = (session: Session, problems: Problems): void => {
  const dates: [string, string | undefined][] = [
    ['createdAt', session.createdAt],
    ['updatedAt', session.updatedAt],
  ];
  session.cycles.forEach(({ decision, attempts, waiting, result }, index) => {
    const at = `cycles.${String(index)}`;
    dates.push([`${at}.decision.decidedAt`, decision.decidedAt], [`${at}.result.analysedAt`, result?.analysedAt]);
    dates.push([`${at}.waiting.since`, waiting?.since], [`${at}.waiting.toldAt`, waiting?.toldAt]);
    for (const { startedAt, ending } of attempts)
      dates.push([`${at}.attempts.startedAt`, startedAt], [`${at}.attempts.ending.endedAt`, ending?.endedAt]);
  });
  const allowed = `a date (ISO 8601) from ${String(years.first)} to ${String(years.last)}`;
  for (const [field, date] of dates)
    if (date !== undefined && !isDate(date))
      problems.push({ field: `session.${field}`, reason: `is not ${allowed}`, allowed });
};

const isIncreasing = (numbers: readonly number[], last: number): boolean =>
  numbers.every((number, index) => number > (numbers[index - 1] ?? 0) && number <= last);

type Say = (field: string, reason: string) => void;

const checkNumbers = ({ cycle, attempt, cycles }: Session, say: Say): void => {
  if (cycle < 1 || cycle > largestCycle) say('cycle', `must be 1 to ${String(largestCycle)}`);
  if (attempt < 1 || attempt > largestCycle) say('attempt', `must be 1 to ${String(largestCycle)}`);
  const numbers = cycles.map((record) => record.cycle);
  if (!isIncreasing(numbers, cycle)) say('cycles', 'are not in the order of their numbers');
  const attempts = cycles.map((record) => record.attempts.map((one) => one.attempt));
  if (!attempts.every((some) => isIncreasing(some, largestCycle))) say('cycles', 'hold attempts that are not in order');
};

/** What every record fulfils that the service has written, in whatever moment. */
const checkPlace = (session: Session, say: Say): void => {
  const { status, stage, cycle, cycles, stop } = session;
  if (!isEnded(status) && stage !== 'deciding' && cycles.at(-1)?.cycle !== cycle)
    say('stage', `cannot be ${stage} without the record of cycle ${String(cycle)}`);
  if (isEnded(status) !== (stop !== undefined)) say('stop', `does not fit the status ${status}`);
  else if (stop !== undefined && statusOfStopReason[stop.reason] !== status)
    say('stop.reason', `does not end a session as ${status}`);
};

const isSetting = (definition: SettingDefinition, value: unknown): boolean => {
  switch (definition.type) {
    case 'integer':
      return Number.isInteger(value) && Number(value) >= definition.min && Number(value) <= definition.max;
    case 'number':
      return typeof value === 'number' && value >= definition.min && value <= definition.max;
    case 'boolean':
      return typeof value === 'boolean';
    case 'choice':
      return definition.choices.some((choice) => choice === value);
    case 'list':
      return Array.isArray(value);
  }
};

const checkRequest = ({ request }: Session, problems: Problems): void => {
  for (const [name, value] of Object.entries(request.settings)) {
    const definition: SettingDefinition | undefined = Object.hasOwn(settingDefinitions, name)
      ? settingDefinitions[name as keyof typeof settingDefinitions]
      : undefined;
    if (definition !== undefined && !isSetting(definition, value))
      problems.push({ field: `session.request.settings.${name}`, reason: 'is not what the setting allows' });
  }
  if (!isProposalName(request.proposal))
    problems.push({ field: 'session.request.proposal', reason: 'cannot name a folder' });
  if (request.directives === undefined) return;
  for (const problem of parseDirectives(request.directives).problems)
    problems.push({ ...problem, field: `session.request.${problem.field}` });
};

/** What is wrong with a record of the right layout: places, numbers and dates that cannot be. */
export const problemsOfRecord = (session: Session): readonly FieldProblem[] => {
  const problems: Problems = [];
  const say: Say = (field, reason) => void problems.push({ field: `session.${field}`, reason });
  checkNumbers(session, say);
  checkPlace(session, say);
  checkDates(session, problems);
  checkRequest(session, problems);
  return problems;
};
