import { Fault } from '@fleet/contracts/faults';
import { isEnded, type SessionHead } from '@fleet/contracts/sessions';
import { isoTime } from '@fleet/ports';
import { checkSessionId, noSession } from '../session/find-session';
import type { SessionPorts } from '../session/session-ports';

type CancelPorts = Pick<SessionPorts, 'records' | 'clock' | 'waker'>;

export interface CancelledSession {
  readonly before: SessionHead;
  readonly head: SessionHead;
}

/** Requests the cancellation of a session. Idempotent. */
export class CancelSession {
  constructor(private readonly ports: CancelPorts) {}

  /**
   * @param hears called with the state before and after, also if the session had ended
   * @throws Fault `session.not_found`, or `session.ended` if it has another end
   */
  async run(id: string, hears: (done: CancelledSession) => void = () => undefined): Promise<SessionHead> {
    const before = await this.head(id);
    const outcome = await this.request(before, 'this session');
    if (outcome === 'missing') throw noSession(id);
    const head = await this.head(id);
    hears({ before, head });
    if (outcome === 'ended' && head.status !== 'cancelled') {
      const status = isEnded(before.status) ? before.status : head.status;
      throw new Fault('session.ended', 'conflict', `Session ${id} has already ended: it is ${status}.`);
    }
    if (outcome === 'cancelling') await this.ports.waker.wake(head);
    return head;
  }

  /** Cancels a session of a cancelled batch; a session that does not run stays unchanged. */
  async ofBatch(id: string): Promise<void> {
    const { records, waker } = this.ports;
    const head = await records.loadHead(id);
    if (head?.status !== 'running') return;
    if ((await this.request(head, 'the batch of this session')) !== 'cancelling') return;
    const cancelling = await records.loadHead(id);
    if (cancelling !== undefined) await waker.wake(cancelling);
  }

  private request({ id, cycle }: SessionHead, what: string) {
    return this.ports.records.requestCancel(id, {
      type: 'session_cancelling',
      cycle,
      at: isoTime(this.ports.clock),
      message: `The cancellation of ${what} was requested`,
      data: {},
    });
  }

  /** @throws Fault `session.not_found` */
  private async head(id: string): Promise<SessionHead> {
    checkSessionId(id);
    const head = await this.ports.records.loadHead(id);
    if (head === undefined) throw noSession(id);
    return head;
  }
}
