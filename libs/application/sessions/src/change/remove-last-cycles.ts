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

/** Event data of a removed cycle: all that remains of it in the record. */
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
    // Always the last event of an ended session.
    event('session_ended', { status: 'cancelled', reason: stop.reason }),
  ];
};

/**
 * Removes the last cycles of an ended session (phenix-agent.md#removing-the-last-cycles). Every view of a session is derived from its record,
 * so active files, best files and the summary are those of the remaining cycles. Files on disk stay; cycle numbers are not reused, so no
 * later program overwrites them.
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
