import type { Guidance } from '@fleet/contracts/guidance';
import type { JsonValue, SessionEvent } from '@fleet/contracts/sessions';
import { guidanceSentences } from './advice-text';

/** A value for an event: it came as JSON. */
const asJson = (value: unknown): JsonValue => JSON.parse(JSON.stringify(value)) as JsonValue;

const messageOf = (guidance: Guidance, sentences: readonly string[]): string => {
  if (guidance.reading.text === '' && sentences.length === 0)
    return guidance.directives === undefined ? 'Nothing is asked for any more' : 'No advice; the directives count';
  return sentences.length === 0 ? 'Nothing was understood of the advice' : `Advice: ${sentences.join(' ')}`;
};

/**
 * The reading of advice, before anything depends on it.
 * @param at time of the reading; absent: time of the advice
 */
export const adviceReadEvent = (guidance: Guidance, cycle: number, at = guidance.at): SessionEvent => {
  const { revision, reader, sources, reading, modelReading, overruled, directives = {} } = guidance;
  const { understood, conflicts, notFollowed, removed } = reading;
  return {
    type: 'advice_read',
    cycle,
    at,
    message: messageOf(guidance, guidanceSentences(guidance)),
    data: {
      revision,
      reader,
      from: sources.map(({ from, file }) => file ?? from),
      understood: understood.map(({ says }) => says),
      ...(modelReading !== undefined && { modelReading: asJson(modelReading) }),
      conflicts,
      overruled,
      notFollowed: asJson(notFollowed),
      removed: asJson(removed),
      directives: asJson(directives),
    },
  };
};
