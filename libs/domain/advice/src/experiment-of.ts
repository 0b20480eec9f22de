import type { ExperimentType, SessionRequest } from '@fleet/contracts/sessions';

/** What the data are, where nobody is asked: a map alone is cryo-EM. Advice is read accordingly. */
export const experimentOf = ({ settings, inputs }: Pick<SessionRequest, 'settings' | 'inputs'>): ExperimentType => {
  if (settings.experiment_type !== 'auto') return settings.experiment_type;
  return inputs.some(({ facts }) => facts.format === 'map') ? 'cryoem' : 'xray';
};
