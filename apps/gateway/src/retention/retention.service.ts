import { Inject, Injectable } from '@nestjs/common';
import type { DeletionReport, Pin, PurgeReport, PurgeWish, SessionRetention } from '@fleet/contracts';
import {
  AUDIT_LOG,
  CLOCK,
  SESSION_FOLDER,
  SESSION_RETENTION,
  UPLOAD_FILES,
  type AuditLog,
  type Clock,
  type SessionFolderPort,
  type SessionRetentionRecords,
  type UploadFiles,
} from '@fleet/ports';
import {
  deleteOfOwner,
  finishPurges,
  purgeDue,
  sessionRetention,
  tellExpiries,
  type RetentionDependencies,
} from '@fleet/retention';
import { ApiError } from '../errors/problem-details';
import { GATEWAY_OPTIONS, type GatewayOptions } from '../gateway-options';
import { noSession } from '../sessions/session-lookup';

/** The gateway itself deletes what is due. */
const byRule: RetentionDependencies['by'] = { who: 'phenix-fleet', request: '', from: '' };

/** What deletions work with. */
@Injectable()
export class RetentionParts {
  constructor(
    @Inject(SESSION_RETENTION) readonly records: SessionRetentionRecords,
    @Inject(SESSION_FOLDER) readonly folders: SessionFolderPort,
    @Inject(AUDIT_LOG) readonly audit: AuditLog,
    @Inject(CLOCK) readonly clock: Clock,
    @Inject(UPLOAD_FILES) readonly uploads: UploadFiles | undefined,
  ) {}
}

/** How long sessions are kept here. */
@Injectable()
export class Retention {
  private readonly records: SessionRetentionRecords;

  constructor(
    private readonly parts: RetentionParts,
    @Inject(GATEWAY_OPTIONS) private readonly options: GatewayOptions,
  ) {
    this.records = parts.records;
  }

  /** @throws ApiError `session.not_found` */
  async of(id: string): Promise<SessionRetention> {
    const found = await this.records.find(id);
    if (found === undefined) throw noSession(id);
    return sessionRetention(this.options.retention, found);
  }

  /** @throws ApiError `session.not_found`, `session.purged` */
  async pin(id: string, pin: Pick<Pin, 'by' | 'reason'>): Promise<SessionRetention> {
    if ((await this.records.pin(id, pin)) === 'purged') await this.checkFiles(id);
    return this.of(id);
  }

  /** @throws ApiError `session.not_found` */
  async unpin(id: string): Promise<SessionRetention> {
    await this.records.unpin(id);
    return this.of(id);
  }

  /** @throws ApiError `session.purged` where the files of a session were deleted */
  async checkFiles(id: string): Promise<void> {
    const purged = (await this.records.find(id))?.purged;
    if (purged !== undefined) throw purgedSession(id, purged);
  }

  purgeDue(wish: PurgeWish, by = byRule): Promise<PurgeReport> {
    return purgeDue(this.depsOf(by), wish);
  }

  deleteOfOwner(
    ordered: Parameters<typeof deleteOfOwner>[1],
    by: RetentionDependencies['by'],
  ): Promise<DeletionReport> {
    const { uploads } = this.parts;
    return deleteOfOwner({ ...this.depsOf(by), ...(uploads !== undefined && { uploads }) }, ordered);
  }

  tellExpiries(): Promise<void> {
    return tellExpiries(this.depsOf(byRule));
  }

  finishPurges(): ReturnType<typeof finishPurges> {
    return finishPurges(this.depsOf(byRule));
  }

  private depsOf(by: RetentionDependencies['by']): RetentionDependencies {
    const { records, folders, audit, clock } = this.parts;
    return { records, folders, audit, clock, rules: this.options.retention, by };
  }
}

/** @param purged when, and by which rule */
const purgedSession = (id: string, { at, rule }: { readonly at: string; readonly rule: string }): ApiError =>
  new ApiError(
    'session.purged',
    `The files of session ${id} were deleted on ${at.slice(0, 10)} (${rule}). Its record stays; it cannot be resumed or forked.`,
  );
