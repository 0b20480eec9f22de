import { sharesChangeSchema, type SharesChange, type SharesView } from '@fleet/contracts';
import { Body, Controller, Get, Inject, Put, Req, UseGuards } from '@nestjs/common';
import { doneBy, principalOf } from '../access/principal-of';
import { Requires } from '../access/requires.decorator';
import { noteForAudit } from '../audit/audit-note';
import { AdminSwitch } from '../administration/admin-switch.guard';
import type { HttpRequest } from '../http/http-types';
import { SetSharesDocs, SharesDocs } from '../openapi/shares-docs';
import { refuseProblems } from '../session-tools/reopen-session';
import { ProblemList } from '../submission/problem-list';
import { readBody } from '../submission/read-body';
import { CurrentShares } from './current-shares.service';

/** How slots are shared, for those who run the service. Executors follow within seconds. */
@Controller('v1/admin/shares')
@UseGuards(AdminSwitch)
export class SharesController {
  constructor(@Inject(CurrentShares) private readonly shares: CurrentShares) {}

  @Get()
  @Requires('admin.read')
  @SharesDocs()
  read(): Promise<SharesView> {
    return this.shares.view();
  }

  @Put()
  @Requires('admin.change')
  @SetSharesDocs()
  async set(@Body() body: unknown, @Req() request: HttpRequest): Promise<SharesView> {
    const problems = new ProblemList();
    // Nothing is missing: that would have been a problem.
    const change = readBody(sharesChangeSchema, body, problems) as SharesChange;
    refuseProblems(problems);
    const by = doneBy(principalOf(request), change.by ?? '');
    const before = await this.shares.view();
    const after = await this.shares.set({ ...change, by });
    noteForAudit(request, { object: 'shares', before: { ...before.policy }, after: { ...after.policy } });
    return after;
  }
}
