import { experimentOf, type ReadAdvice } from '@fleet/advice';
import type { AdviceSource } from '@fleet/contracts/guidance';
import type { SessionRequest } from '@fleet/contracts/sessions';
import type { SessionKnowledge } from '../session/session-ports';

/** How the advice of this session is read. */
export const readerFor =
  (
    { readAdvice }: Pick<SessionKnowledge, 'readAdvice'>,
    request: Pick<SessionRequest, 'settings' | 'inputs'>,
  ): ReadAdvice =>
  (raw) =>
    readAdvice(raw, experimentOf(request));

/** Advice as a client sends it. */
export const sourcesOf = (advice: string, file?: string): readonly AdviceSource[] =>
  advice === '' ? [] : [file === undefined ? { from: 'text', text: advice } : { from: 'file', file, text: advice }];
