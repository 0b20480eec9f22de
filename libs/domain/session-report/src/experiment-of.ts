import type { ExperimentType, Session } from '@fleet/contracts/sessions';

/** X-ray or cryo-EM, as decided; before the first decision derived from the files. */
export const experimentOf = (session: Pick<Session, 'request' | 'cycles'>): ExperimentType => {
  const decided = session.cycles.at(-1)?.decision.experimentType;
  if (decided !== undefined) return decided;
  const { inputs, settings } = session.request;
  if (settings.experiment_type !== 'auto') return settings.experiment_type;
  return inputs.some(({ facts }) => facts.format === 'map') ? 'cryoem' : 'xray';
};
