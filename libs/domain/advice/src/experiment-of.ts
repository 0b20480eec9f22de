import type { ExperimentType, SessionRequest } from '@fleet/contracts/sessions';

/** The experiment type for reading advice: a map without reflection data is cryo-EM. */
export const experimentOf = ({ settings, inputs }: Pick<SessionRequest, 'settings' | 'inputs'>): ExperimentType => {
  if (settings.experiment_type !== 'auto') return settings.experiment_type;
  return inputs.some(({ facts }) => facts.format === 'map') ? 'cryoem' : 'xray';
};
