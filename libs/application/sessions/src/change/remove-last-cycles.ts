import {
  cycleRemovalOf,
  type CycleRecord,
  type JsonValue,
  type Session,
  type SessionEvent,
  type SessionStop,
} from '@fleet/contracts/sessions';
import { isoTime } from '@fleet/ports';
import { readBody } from '@fleet/problems';
import { progressOf } from '@fleet/session-report';
import { findEnded, type IsSeen } from '../session/find-session';
import type { SessionPorts } from '../session/session-ports';
import { reopenSession, type ReopenPorts } from './reopen-session';

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
 * Takes the last cycles out of an ended session (phenix-agent.md#removing-the-last-cycles). Everything that is shown of a session follows from its
 * record, so active files, best files and the summary are those of the cycles that remain. Files on disk stay; numbers of
 * cycles are not used again, so that no later program meets them.
 */
export class RemoveLastCycles {
  constructor(private readonly ports: ReopenPorts & Pick<SessionPorts, 'clock' | 'limits'>) {}

  /** @throws Fault `request.invalid`, or see `findEnded` and `reopenSession` */
  async run(id: string, body: unknown, isSeen?: IsSeen): Promise<Session> {
    const session = await findEnded(this.ports.records, id, isSeen);
    const { count } = readBody({ body: cycleRemovalOf(session.cycles.length) }, body);
    const removed = session.cycles.slice(-count);
    const lastCycle = session.cycles.at(-count - 1)?.cycle ?? 0;
    const numbers = removed.map(({ cycle }) => String(cycle)).join(', ');
    const detail = `Cycle${count === 1 ? '' : 's'} ${numbers} removed from the record; resume continues from there.`;
    const stop: SessionStop = { reason: 'cycles_removed', detail, afterCycle: lastCycle };
    return reopenSession(this.ports, {
      sessionId: id,
      fromVersion: session.version,
      to: { ended: stop },
      lastCycle,
      progress: progressOf({ ...session, cycles: session.cycles.slice(0, -count) }),
      events: eventsOf(session, removed, stop, isoTime(this.ports.clock)),
      dueInMs: this.ports.limits.dueInMs,
    });
  }
}
