import type { PredictionService } from '@fleet/config';
import type { RuleBook } from '@fleet/knowledge-model';

const why =
  'it would send the sequence to a prediction service, and this site allows none (FLEET_PREDICTION is off); submit a predicted model instead';

/**
 * Programs that this site does not allow, with the reason: those that send sequences to a server, if the site forbids
 * that.
 */
export const withheldPrograms = (
  { programs }: Pick<RuleBook, 'programs'>,
  prediction: PredictionService,
): ReadonlyMap<string, string> => {
  const sending = Object.values(programs).filter(({ sends_sequence }) => sends_sequence !== undefined);
  return new Map(prediction === 'off' ? sending.map(({ name, runs_as }) => [runs_as ?? name, why]) : []);
};
