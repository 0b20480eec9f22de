import { isDeepStrictEqual } from 'node:util';
import type { JsonValue, Session, SessionEvent, SessionRequest } from '@fleet/contracts';
import { isoTime } from '@fleet/ports';
import { checkExperiment } from '../submission/check-experiment';
import { ProblemList } from '../submission/problem-list';
import { readSettings } from '../submission/read-settings';
import { readResumeBody } from './read-tool-body';
import { findEnded, refuseProblems, reopenSession, type SessionTools } from './reopen-session';

/** The number of the next cycle: the current one where nothing was decided in it. A number that was used is never used again. */
const nextCycle = ({ cycle, cycles, stop }: Session): number => {
  const used = stop?.reason === 'cycles_removed' || cycles.some((record) => record.cycle === cycle);
  return used ? cycle + 1 : cycle;
};

/** Advice and settings that differ, with what they were. */
const changesOf = (before: SessionRequest, after: SessionRequest): Readonly<Record<string, JsonValue>> => {
  const old = new Map<string, JsonValue>([
    ['advice', before.advice],
    ...Object.entries<JsonValue>({ ...before.settings }),
  ]);
  const now: readonly (readonly [string, JsonValue])[] = [
    ['advice', after.advice],
    ...Object.entries<JsonValue>({ ...after.settings }),
  ];
  const changed = now.filter(([name, value]) => !isDeepStrictEqual(old.get(name), value));
  return Object.fromEntries(changed.map(([name, value]) => [name, { before: old.get(name) ?? null, after: value }]));
};

const resumedEvent = (session: Session, request: SessionRequest, cycle: number, at: string): SessionEvent => {
  const changes = changesOf(session.request, request);
  const names = Object.keys(changes);
  const stop = session.stop === undefined ? null : { reason: session.stop.reason, detail: session.stop.detail };
  return {
    type: 'session_resumed',
    cycle,
    at,
    message: `Resumed at cycle ${String(cycle)}${names.length === 0 ? '' : ` with other ${names.join(', ')}`}`,
    data: { changes, stop },
  };
};

/**
 * Lets an ended session decide on its next cycle, with new advice and settings where they are given.
 * @throws ApiError `request.invalid` with everything that is wrong, or see `findEnded`
 */
export const resumeSession = async (
  tools: SessionTools,
  id: string,
  body: unknown,
  ifMatch: string | undefined,
): Promise<Session> => {
  const session = await findEnded(tools.store, id, ifMatch);
  const problems = new ProblemList();
  const given = readResumeBody(body, problems);
  const settings = readSettings({ ...session.request.settings, ...given.settings }, tools.knownPrograms, problems);
  checkExperiment(session.request.inputs, settings, true, problems);
  refuseProblems(problems);
  const request = { ...session.request, settings, advice: given.advice ?? session.request.advice };
  const cycle = nextCycle(session);
  return reopenSession(tools, {
    sessionId: id,
    fromVersion: session.version,
    to: { stage: 'deciding', cycle, attempt: 1 },
    request,
    events: [resumedEvent(session, request, cycle, isoTime(tools.clock))],
    dueInMs: tools.dueInMs,
  });
};
