import { experimentOf, type ReadAdvice } from '@fleet/advice';
import type { AdviceSource, SessionRequest } from '@fleet/contracts';
import type { AgentKnowledge } from '../results/agent-knowledge';

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
