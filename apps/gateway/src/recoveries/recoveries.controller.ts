import { Body, Controller, HttpCode, Inject, Injectable, Post, Req } from '@nestjs/common';
import type { RecoveryReport } from '@fleet/contracts';
import {
  CLOCK,
  SESSION_FOLDER,
  SESSION_RECORDS,
  SESSION_RETENTION,
  WEBHOOKS,
  type Clock,
  type KeptWebhooks,
  type SessionFolderPort,
  type SessionRecords,
  type SessionRetentionRecords,
} from '@fleet/ports';
import { recoverSessions } from '@fleet/recovery';
import { doneBy, principalOf } from '../access/principal-of';
import { Requires } from '../access/requires.decorator';
import { noteForAudit } from '../audit/audit-note';
import { ApiError } from '../errors/problem-details';
import { GATEWAY_OPTIONS, type GatewayOptions } from '../gateway-options';
import type { HttpRequest } from '../http/http-types';
import { RecoveriesDocs } from '../openapi/service-docs';
import { refuseProblems } from '../session-tools/reopen-session';
import { ProblemList } from '../submission/problem-list';
import { readRecoveryBody } from './read-recovery-body';

const lengthOf = (value: unknown): unknown => (Array.isArray(value) ? value.length : value);

/** What a recovery reads and writes. */
@Injectable()
export class RecoverySources {
  constructor(
    @Inject(SESSION_RECORDS) readonly records: SessionRecords,
    @Inject(SESSION_FOLDER) readonly folders: SessionFolderPort,
    @Inject(SESSION_RETENTION) readonly retention: Pick<SessionRetentionRecords, 'wasRemoved'>,
    @Inject(CLOCK) readonly clock: Clock,
  ) {}
}

@Controller('v1/recoveries')
export class RecoveriesController {
  constructor(
    private readonly sources: RecoverySources,
    @Inject(WEBHOOKS) private readonly webhooks: KeptWebhooks,
    @Inject(GATEWAY_OPTIONS) private readonly options: GatewayOptions,
  ) {}

  /** Rebuilds sessions from the files in the work root, after the database lost them. A sweeper wakes those that have not ended. */
  @Post()
  @Requires('admin.change')
  @HttpCode(200)
  @RecoveriesDocs()
  async recover(@Body() body: unknown, @Req() request: HttpRequest): Promise<RecoveryReport> {
    const problems = new ProblemList();
    const given = readRecoveryBody(body, problems);
    const trust = given && { ...given, by: doneBy(principalOf(request), given.by) };
    refuseProblems(problems);
    // Whoever can write a session.json would otherwise vouch for it.
    if (trust !== undefined && !this.options.adminApi)
      throw new ApiError(
        'administration.off',
        'Only an administrator may trust files that cannot be authenticated, and administration is disabled here (FLEET_ADMIN_API). Nothing was recovered.',
      );
    const { records, folders, clock, retention } = this.sources;
    // First, so that they hear of the sessions.
    await this.webhooks.restore();
    const wasRemoved = (id: string): Promise<boolean> => retention.wasRemoved(id);
    const report = await recoverSessions({
      records,
      folders,
      clock,
      wasRemoved,
      ...(trust !== undefined && { trust }),
    });
    const counts = Object.entries(report).map(([what, all]): [string, unknown] => [what, lengthOf(all)]);
    noteForAudit(request, { object: 'sessions', after: { ...Object.fromEntries(counts), trust: trust !== undefined } });
    return report;
  }
}
