import type { AssessmentView, LogSummaryView, PromptsView, TraceView } from '@fleet/contracts/results';
import type { SessionRetention } from '@fleet/contracts/retention';
import type { StoredEvent } from '@fleet/contracts/sessions';
import { api } from './calls';

/** What the API says of how a session came to where it is, of what it is worth, and how long it is kept. */

/** All events of a session, in parts of the most that an answer has. */
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
/** What models were asked in a cycle, and what they replied. */
export const fetchPrompts = (id: string, cycle: number, signal: AbortSignal): Promise<PromptsView> =>
  api.json('GET /v1/sessions/{id}/cycles/{cycle}/prompts', { path: { id, cycle: String(cycle) } }, { signal });
export const fetchAssessment = (id: string, signal: AbortSignal): Promise<AssessmentView> =>
  api.json('GET /v1/sessions/{id}/assessment', { path: { id } }, { signal });
/** Lets a model write it; `asked` until one has. */
export const askAssessment = (id: string): Promise<AssessmentView> =>
  api.json('POST /v1/sessions/{id}/assessment', { path: { id } });
/** What the log of a finished cycle says. */
export const fetchLogSummary = (id: string, cycle: number, signal: AbortSignal): Promise<LogSummaryView> =>
  api.json('GET /v1/sessions/{id}/cycles/{cycle}/log-summary', { path: { id, cycle: String(cycle) } }, { signal });
/** Lets a model write it; `asked` until one has. */
export const askLogSummary = (id: string, cycle: number): Promise<LogSummaryView> =>
  api.json('POST /v1/sessions/{id}/cycles/{cycle}/log-summary', { path: { id, cycle: String(cycle) } });
/** How long an ended session is kept. */
export const fetchRetention = (id: string, signal: AbortSignal): Promise<SessionRetention> =>
  api.json('GET /v1/sessions/{id}/retention', { path: { id } }, { signal });
export const pinSession = (id: string, reason: string): Promise<SessionRetention> =>
  api.json('POST /v1/sessions/{id}/pin', { path: { id }, body: { reason } });
export const unpinSession = (id: string): Promise<SessionRetention> =>
  api.json('POST /v1/sessions/{id}/unpin', { path: { id } });
