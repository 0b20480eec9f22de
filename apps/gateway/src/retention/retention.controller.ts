import { Body, Controller, HttpCode, Inject, Post, Req, UseGuards } from '@nestjs/common';
import {
  deletionWishSchema,
  purgeWishSchema,
  type DeletionReport,
  type DeletionWish,
  type PurgeReport,
} from '@fleet/contracts';
import type { DataOwner } from '@fleet/ports';
import { doneBy, nameOfPrincipal, principalOf, roleOfPrincipal } from '../access/principal-of';
import { Requires } from '../access/requires.decorator';
import { AdminSwitch } from '../administration/admin-switch.guard';
import { noteForAudit } from '../audit/audit-note';
import { clientAddress } from '../http/client-address';
import type { HttpRequest } from '../http/http-types';
import { DeletionDocs, PurgeDocs } from '../openapi/retention-docs';
import { refuseProblems } from '../session-tools/reopen-session';
import { ProblemList } from '../submission/problem-list';
import { readBody } from '../submission/read-body';
import { Retention } from './retention.service';

/** Deletes what is due, for those who run the service. */
@Controller('v1/admin')
@UseGuards(AdminSwitch)
export class RetentionController {
  constructor(@Inject(Retention) private readonly retention: Retention) {}

  @Post('purges')
  @Requires('admin.change')
  @HttpCode(200)
  @PurgeDocs()
  async purge(@Body() body: unknown, @Req() request: HttpRequest): Promise<PurgeReport> {
    const problems = new ProblemList();
    const wish = readBody(purgeWishSchema, body ?? {}, problems);
    refuseProblems(problems);
    const report = await this.retention.purgeDue(wish, askedBy(request));
    const { rules, held, failed } = report;
    const after = { dryRun: wish.dryRun ?? false, rules, held, failed: failed.length };
    noteForAudit(request, { object: 'sessions', after });
    return report;
  }

  @Post('deletions')
  @Requires('admin.change')
  @HttpCode(200)
  @DeletionDocs()
  async deleteOf(@Body() body: unknown, @Req() request: HttpRequest): Promise<DeletionReport> {
    const problems = new ProblemList();
    const wish = readBody(deletionWishSchema, body, problems);
    const owner = ownerOf(wish, problems);
    refuseProblems(problems);
    const { reason = '', dryRun = false, after } = wish;
    const by = doneBy(principalOf(request), wish.by ?? '');
    noteForAudit(request, { object: objectOf(owner), before: { reason, dryRun, by } });
    const ordered = { owner, rule: `on request: ${reason}`, dryRun, ...(after !== undefined && { after }) };
    const report = await this.retention.deleteOfOwner(ordered, askedBy(request));
    noteForAudit(request, { after: inShort(report) });
    return report;
  }
}

const objectOf = (owner: DataOwner): string =>
  'proposal' in owner ? `proposal ${owner.proposal}` : `submitter ${owner.submitter}`;

const inShort = ({ refused, sessions, bytes, batches, uploads }: DeletionReport): Record<string, unknown> => ({
  sessions,
  bytes,
  batches,
  uploads,
  refused: refused.map(({ id }) => id),
});

/** Whose data. @throws nothing; what is wrong goes to `problems` */
const ownerOf = ({ proposal, submitter }: Partial<DeletionWish>, problems: ProblemList): DataOwner => {
  if ((proposal === undefined) === (submitter === undefined))
    problems.add('field.value', 'proposal', 'is given with submitter, or neither is', 'either proposal or submitter');
  return proposal === undefined ? { submitter: submitter ?? '' } : { proposal };
};

/** Who asks for it, as the audit log has it. */
const askedBy = (request: HttpRequest) => {
  const role = roleOfPrincipal(request);
  const who = { who: nameOfPrincipal(request), request: request.id, from: clientAddress(request) };
  return { ...who, ...(role !== undefined && { role }) };
};
