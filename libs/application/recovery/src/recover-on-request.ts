import type { Principal } from '@fleet/contracts/access';
import type { RecoveryReport } from '@fleet/contracts/administration';
import { Fault } from '@fleet/contracts/faults';
import type { KeptWebhooks, SessionRetentionRecords } from '@fleet/ports';
import { readTrust } from './read-trust';
import { recoverSessions, type RecoveryDependencies } from './recover-sessions';

/** Dependencies of a recovery on request. */
export interface RecoveryPorts extends Pick<RecoveryDependencies, 'records' | 'folders' | 'clock'> {
  readonly retention: Pick<SessionRetentionRecords, 'wasRemoved'>;
  readonly webhooks: Pick<KeptWebhooks, 'restore'>;
  /** Off by default: a user who can write a session.json could otherwise confirm it too. */
  readonly mayTrust: boolean;
}

/** Rebuilds sessions from the files in the work root, after the database was lost. A sweeper wakes those that have not ended. */
export class RecoverOnRequest {
  constructor(private readonly ports: RecoveryPorts) {}

  /** @throws Fault `request.invalid`, `administration.off`, or see `recoverSessions` */
  async run(
    body: unknown,
    principal: Principal,
  ): Promise<{ readonly report: RecoveryReport; readonly isTrusting: boolean }> {
    const { records, folders, clock, retention, webhooks, mayTrust } = this.ports;
    const trust = readTrust(body, principal);
    if (trust !== undefined && !mayTrust)
      throw new Fault(
        'administration.off',
        'caller',
        'Only an administrator may trust files that cannot be authenticated, and administration is disabled here (FLEET_ADMIN_API). Nothing was recovered.',
      );
    // Webhooks first, so that they are notified of the sessions.
    await webhooks.restore();
    const wasRemoved = (id: string): Promise<boolean> => retention.wasRemoved(id);
    const report = await recoverSessions({
      records,
      folders,
      clock,
      wasRemoved,
      ...(trust !== undefined && { trust }),
    });
    return { report, isTrusting: trust !== undefined };
  }
}
