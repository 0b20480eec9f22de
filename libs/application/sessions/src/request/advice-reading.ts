import { experimentOf, type ReadAdvice } from '@fleet/advice';
import type { AdviceSource } from '@fleet/contracts/guidance';
import type { SessionRequest } from '@fleet/contracts/sessions';
import type { SessionKnowledge } from '../session/session-ports';

/** Reads the advice of this session. */
export const readerFor =
  (
    { readAdvice }: Pick<SessionKnowledge, 'readAdvice'>,
    request: Pick<SessionRequest, 'settings' | 'inputs'>,
  ): ReadAdvice =>
  (raw) =>
    readAdvice(raw, experimentOf(request));

/** The sources of advice in a client's request. */
export const sourcesOf = (advice: string, file?: string): readonly AdviceSource[] =>
  advice === '' ? [] : [file === undefined ? { from: 'text', text: advice } : { from: 'file', file, text: advice }];
