import type { SharesView } from '@fleet/contracts/launches';
import { routes } from '@fleet/contracts/routes';
import { CurrentShares } from '@fleet/launches';
import { Body, Controller, Req, UseGuards } from '@nestjs/common';
import { principalOf } from '../../auth/access/principal-of';
import { Handles } from '../../http/handles.decorator';
import { noteForAudit } from '../../http/audit-note';
import { AdminSwitch } from '../../http/admin-switch.guard';
import type { HttpRequest } from '../../http/http-types';

/** The shares of slots, for administrators. Executors follow within seconds. */
@Controller()
@UseGuards(AdminSwitch)
export class SharesController {
  constructor(private readonly shares: CurrentShares) {}

  @Handles(routes.shares.read)
  read(): Promise<SharesView> {
    return this.shares.view();
  }

  @Handles(routes.shares.set)
  async set(@Body() body: unknown, @Req() request: HttpRequest): Promise<SharesView> {
    const { before, after } = await this.shares.set(body, principalOf(request));
    noteForAudit(request, { object: 'shares', before: { ...before.policy }, after: { ...after.policy } });
    return after;
  }
}
