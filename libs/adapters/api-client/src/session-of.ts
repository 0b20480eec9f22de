import type { SessionView } from '@fleet/contracts';
import type { AnswerOf } from './api-client';

/**
 * An answer as the session that it is. What a file does not tell of itself (a cell, a resolution) is null in JSON and NaN in a record; who shows
 * facts of files has to look for both.
 */
export const sessionOf = (answer: AnswerOf<'GET /v1/sessions/{id}'>): SessionView => answer as SessionView;
