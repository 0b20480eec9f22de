import { Body, Controller, Req, UseGuards } from '@nestjs/common';
import type { DeletionReport, PurgeReport } from '@fleet/contracts/retention';
import { routes } from '@fleet/contracts/routes';
import type { DataOwner } from '@fleet/ports';
import { readBody } from '@fleet/problems';
import { readDeletion, Retention } from '@fleet/retention';
import { nameOfPrincipal, principalOf, roleOfPrincipal } from '../../auth/access/principal-of';
import { Handles } from '../../http/handles.decorator';
import { AdminSwitch } from '../../http/admin-switch.guard';
import { noteForAudit } from '../../http/audit-note';
import { clientIp } from '../../http/client-ip';
import type { HttpRequest } from '../../http/http-types';

/** Deletes what is due, for administrators. */
@Controller()
@UseGuards(AdminSwitch)
export class RetentionController {
  constructor(private readonly retention: Retention) {}

  @Handles(routes.retention.purge)
  async purge(@Body() body: unknown, @Req() request: HttpRequest): Promise<PurgeReport> {
    const order = readBody(routes.retention.purge, body);
    const report = await this.retention.purgeDue(order, requesterOf(request));
    const { rules, held, failed } = report;
    const after = { dryRun: order.dryRun ?? false, rules, held, failed: failed.length };
    noteForAudit(request, { object: 'sessions', after });
    return report;
  }

  @Handles(routes.retention.deleteOf)
  async deleteOf(@Body() body: unknown, @Req() request: HttpRequest): Promise<DeletionReport> {
    const { reason, by, ...ordered } = readDeletion(body, principalOf(request));
    noteForAudit(request, { object: objectOf(ordered.owner), before: { reason, dryRun: ordered.dryRun, by } });
    const report = await this.retention.deleteOfOwner(ordered, requesterOf(request));
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

/** The requester, as in the audit log. */
const requesterOf = (request: HttpRequest) => {
  const role = roleOfPrincipal(request);
  const who = { who: nameOfPrincipal(request), request: request.id, from: clientIp(request) };
  return { ...who, ...(role !== undefined && { role }) };
};
