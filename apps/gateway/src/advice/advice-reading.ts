import type { ReadAdvice } from '@fleet/advice';
import type { AdviceSource, ExperimentType, SessionRequest } from '@fleet/contracts';
import type { AgentKnowledge } from '../results/agent-knowledge';

/** What the data are, where nobody is asked: a map alone is cryo-EM. */
const experimentOf = ({ settings, inputs }: Pick<SessionRequest, 'settings' | 'inputs'>): ExperimentType => {
  if (settings.experiment_type !== 'auto') return settings.experiment_type;
  return inputs.some(({ facts }) => facts.format === 'map') ? 'cryoem' : 'xray';
};

/** How the advice of this session is read. */
export const readerFor =
  (
    { readAdvice }: Pick<AgentKnowledge, 'readAdvice'>,
    request: Pick<SessionRequest, 'settings' | 'inputs'>,
  ): ReadAdvice =>
  (raw) =>
    readAdvice(raw, experimentOf(request));

/** Advice as a client sends it. */
export const sourcesOf = (advice: string, file?: string): readonly AdviceSource[] =>
  advice === '' ? [] : [file === undefined ? { from: 'text', text: advice } : { from: 'file', file, text: advice }];
