import type { CycleRecord, JsonValue, Session, SessionEvent, SessionStop } from '@fleet/contracts';
import { isoTime } from '@fleet/ports';
import { progressOf } from '@fleet/session-report';
import { ProblemList } from '../submission/problem-list';
import { readRemoveLastCyclesBody } from './read-tool-body';
import { findEnded, refuseProblems, reopenSession, type SessionTools } from './reopen-session';

/** What is told of a cycle that is taken out: the event is all that remains of it in the record. */
const traceOf = ({ cycle, decision, attempts, result }: CycleRecord): JsonValue => ({
  cycle,
  program: decision.program,
  argv: decision.argv,
  attempts: attempts.length,
  outcome: result?.outcome ?? 'none',
  summary: result?.summary ?? '',
});

const eventsOf = (session: Session, removed: readonly CycleRecord[], stop: SessionStop, at: string) => {
  const event = (type: SessionEvent['type'], data: SessionEvent['data']): SessionEvent => ({
    type,
    cycle: session.cycle,
    at,
    message: stop.detail,
    data,
  });
  const before = session.stop === undefined ? null : { reason: session.stop.reason, detail: session.stop.detail };
  return [
    event('cycles_removed', { cycles: removed.map(traceOf), before }),
    // Last in the stream of a session that has ended, whatever happened to it.
    event('session_ended', { status: 'cancelled', reason: stop.reason }),
  ];
};

/**
 * Takes the last cycles out of an ended session (phenix-agent.md#removing-the-last-cycles). Everything that is told of a session follows from its
 * record, so active files, best files and the summary are those of the cycles that remain. Files on disk stay; numbers of
 * cycles are not used again, so that no later program meets them.
 * @throws ApiError `request.invalid`, or see `findEnded`
 */
export const removeLastCycles = async (
  tools: SessionTools,
  id: string,
  body: unknown,
  ifMatch: string | undefined,
): Promise<Session> => {
  const session = await findEnded(tools.records, id, ifMatch);
  const problems = new ProblemList();
  const { count } = readRemoveLastCyclesBody(body, session.cycles.length, problems);
  refuseProblems(problems);
  const removed = session.cycles.slice(-count);
  const lastCycle = session.cycles.at(-count - 1)?.cycle ?? 0;
  const numbers = removed.map(({ cycle }) => String(cycle)).join(', ');
  const detail = `Cycle${count === 1 ? '' : 's'} ${numbers} removed from the record; resume continues from there.`;
  const stop: SessionStop = { reason: 'cycles_removed', detail, afterCycle: lastCycle };
  return reopenSession(tools, {
    sessionId: id,
    fromVersion: session.version,
    to: { ended: stop },
    lastCycle,
    progress: progressOf({ ...session, cycles: session.cycles.slice(0, -count) }),
    events: eventsOf(session, removed, stop, isoTime(tools.clock)),
    dueInMs: tools.dueInMs,
  });
};
