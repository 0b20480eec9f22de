import { readAdvice, type AdviceReading } from '@fleet/advice';
import type { SessionDirectives } from '@fleet/contracts/guidance';
import type { ExperimentType, Session, SessionSteering } from '@fleet/contracts/sessions';
import type { RuleBook } from '@fleet/knowledge-model';
import type { DecideRequest } from '../request/read-request';

/** Maximum number of characters read: what clients send at most (knowledge/transport.yaml). */
const longestRead = 10_000;

/** The reading of the user's advice. */
export interface RequestAdvice {
  readonly reading: AdviceReading;
  /** False: the client sent directives, which it derived from the same advice; they are used instead. */
  readonly isFollowed: boolean;
}

/** Reads `user_advice`; undefined without advice. */
export const adviceOfRequest = (
  { user_advice }: Pick<DecideRequest, 'user_advice'>,
  given: SessionDirectives,
  experiment: ExperimentType,
  ruleBook: RuleBook,
): RequestAdvice | undefined =>
  user_advice.trim() === ''
    ? undefined
    : {
        reading: readAdvice(user_advice.slice(0, longestRead), ruleBook, { experiment }),
        isFollowed: Object.keys(given).length === 0,
      };

/** The guidance of the advice, if it is followed. */
export const guidanceOfRequest = (
  advice: RequestAdvice | undefined,
  { adviceChangedAfter }: SessionSteering,
  now: string,
): Pick<Session, 'guidance'> => {
  if (advice?.isFollowed !== true) return {};
  const { reading } = advice;
  const changed = adviceChangedAfter === undefined ? {} : { changedAfter: adviceChangedAfter };
  return {
    guidance: { revision: 1, at: now, sources: [], hash: '', reader: 'rules', reading, overruled: [], ...changed },
  };
};

/** Parts of the advice that could not be followed for a reason that the user should know, one sentence each. */
export const warningsOfAdvice = (
  { user_advice }: Pick<DecideRequest, 'user_advice'>,
  advice: RequestAdvice | undefined,
): readonly string[] => {
  if (advice === undefined) return [];
  const { removed, conflicts } = advice.reading;
  return [
    ...(user_advice.length > longestRead
      ? [`user_advice: the first ${String(longestRead)} of its ${String(user_advice.length)} characters are read`]
      : []),
    ...removed.map(({ words, why }) => `user_advice: "${words}" is not read: ${why}`),
    ...(advice.isFollowed ? conflicts : []).map((conflict) => `user_advice: ${conflict}`),
  ];
};
