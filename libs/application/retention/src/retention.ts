import { doneBy } from '@fleet/access';
import type { Principal } from '@fleet/contracts/access';
import { Fault } from '@fleet/contracts/faults';
import type { DeletionReport, PurgeReport, PurgeRequest, SessionRetention } from '@fleet/contracts/retention';
import { routes } from '@fleet/contracts/routes';
import { readBody } from '@fleet/problems';
import { noSession } from '@fleet/sessions';
import { deleteOfOwner, type DeletionDependencies, type OrderedDeletion } from './delete-of-owner';
import { finishPurges, type FinishedPurges } from './finish-purges';
import { purgeDue } from './purge-due';
import type { RetentionDependencies } from './retention-dependencies';
import { sessionRetention } from './session-retention';
import { tellExpiries } from './tell-expiries';

type Deleter = RetentionDependencies['by'];

/** The service itself deletes what is due. */
const byRule: Deleter = { who: 'phenix-fleet', request: '', from: '' };

/** Dependencies of retention, without the actor. */
export type RetentionPorts = Omit<DeletionDependencies, 'by'>;

/** Retention of sessions. */
export class Retention {
  constructor(private readonly ports: RetentionPorts) {}

  /** @throws Fault `session.not_found` */
  async of(id: string): Promise<SessionRetention> {
    const { records, rules } = this.ports;
    const found = await records.find(id);
    if (found === undefined) throw noSession(id);
    return sessionRetention(rules, found);
  }

  /** @throws Fault `session.not_found`, `session.purged`, `request.invalid` */
  async pin(id: string, body: unknown, principal: Principal): Promise<SessionRetention> {
    const { reason, by = '' } = readBody(routes.sessionRetention.pin, body);
    const pinned = await this.ports.records.pin(id, { reason, by: doneBy(principal, by) });
    if (pinned === 'purged') await this.checkFiles(id);
    return this.of(id);
  }

  /** @throws Fault `session.not_found` */
  async unpin(id: string): Promise<SessionRetention> {
    await this.ports.records.unpin(id);
    return this.of(id);
  }

  /** @throws Fault `session.purged` if the files of a session were deleted */
  async checkFiles(id: string): Promise<void> {
    const purged = (await this.ports.records.find(id))?.purged;
    if (purged !== undefined) throw purgedSession(id, purged);
  }

  purgeDue(request: PurgeRequest, by = byRule): Promise<PurgeReport> {
    return purgeDue(this.depsOf(by), request);
  }

  deleteOfOwner(ordered: OrderedDeletion, by: Deleter): Promise<DeletionReport> {
    return deleteOfOwner(this.depsOf(by), ordered);
  }

  tellExpiries(): Promise<void> {
    return tellExpiries(this.ports);
  }

  finishPurges(): Promise<FinishedPurges> {
    return finishPurges(this.depsOf(byRule));
  }

  private depsOf(by: Deleter): DeletionDependencies {
    const { records, folders, rules, audit, clock, uploads } = this.ports;
    return { records, folders, rules, audit, clock, uploads, by };
  }
}

/** @param purged time and rule of the deletion */
const purgedSession = (id: string, { at, rule }: { readonly at: string; readonly rule: string }): Fault =>
  new Fault(
    'session.purged',
    'conflict',
    `The files of session ${id} were deleted on ${at.slice(0, 10)} (${rule}). Its record stays; it cannot be resumed or forked.`,
  );
