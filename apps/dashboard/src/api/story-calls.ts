import type { AssessmentView, LogSummaryView, PromptsView, TraceView } from '@fleet/contracts/results';
import type { SessionRetention } from '@fleet/contracts/retention';
import type { StoredEvent } from '@fleet/contracts/sessions';
import { api } from './calls';

/** API calls for the history, the assessment and the retention of a session. */

/** All events of a session, in pages of maximum size. */
export const fetchEvents = async (id: string, signal: AbortSignal): Promise<readonly StoredEvent[]> => {
  const limit = 5_000;
  const events: StoredEvent[] = [];
  for (let after: string | undefined; ;) {
    const part = await api.json('GET /v1/sessions/{id}/events', { path: { id }, query: { after, limit } }, { signal });
    events.push(...part.events);
    if (part.events.length < limit) return events;
    after = part.next;
  }
};
export const fetchTrace = (id: string, signal: AbortSignal): Promise<TraceView> =>
  api.json('GET /v1/sessions/{id}/trace', { path: { id } }, { signal });
/** The prompts and replies of models in a cycle. */
export const fetchPrompts = (id: string, cycle: number, signal: AbortSignal): Promise<PromptsView> =>
  api.json('GET /v1/sessions/{id}/cycles/{cycle}/prompts', { path: { id, cycle: String(cycle) } }, { signal });
export const fetchAssessment = (id: string, signal: AbortSignal): Promise<AssessmentView> =>
  api.json('GET /v1/sessions/{id}/assessment', { path: { id } }, { signal });
/** Requests a model's text; `asked` until it exists. */
export const askAssessment = (id: string): Promise<AssessmentView> =>
  api.json('POST /v1/sessions/{id}/assessment', { path: { id } });
/** The log summary of a finished cycle. */
export const fetchLogSummary = (id: string, cycle: number, signal: AbortSignal): Promise<LogSummaryView> =>
  api.json('GET /v1/sessions/{id}/cycles/{cycle}/log-summary', { path: { id, cycle: String(cycle) } }, { signal });
/** Requests a model's text; `asked` until it exists. */
export const askLogSummary = (id: string, cycle: number): Promise<LogSummaryView> =>
  api.json('POST /v1/sessions/{id}/cycles/{cycle}/log-summary', { path: { id, cycle: String(cycle) } });
/** Retention of an ended session. */
export const fetchRetention = (id: string, signal: AbortSignal): Promise<SessionRetention> =>
  api.json('GET /v1/sessions/{id}/retention', { path: { id } }, { signal });
export const pinSession = (id: string, reason: string): Promise<SessionRetention> =>
  api.json('POST /v1/sessions/{id}/pin', { path: { id }, body: { reason } });
export const unpinSession = (id: string): Promise<SessionRetention> =>
  api.json('POST /v1/sessions/{id}/unpin', { path: { id } });
