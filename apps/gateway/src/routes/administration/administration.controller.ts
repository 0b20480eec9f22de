import { Body, Controller, Inject, Req, UseGuards } from '@nestjs/common';
import { toAdminView } from '@fleet/api-views';
import type { AdminView, LaunchState, OrphansView, RemovalView } from '@fleet/contracts/launches';
import { routes } from '@fleet/contracts/routes';
import { ChangeLaunches } from '@fleet/launches';
import {
  LAUNCH_CONTROL,
  type LaunchControl,
  ORPHAN_REGISTER,
  type OrphanRegister,
  RUN_SLOTS,
  type RunSlots,
} from '@fleet/ports';
import { principalOf } from '../../auth/access/principal-of';
import { Handles } from '../../http/handles.decorator';
import { noteForAudit } from '../../http/audit-note';
import type { HttpRequest } from '../../http/http-types';
import { AdminSwitch } from '../../http/admin-switch.guard';

const launchesOf = ({ mode, reason, by }: LaunchState): Record<string, unknown> => ({ mode, reason, by });

/** For administrators. The gateway starts and stops no run: it stores requests, and executors follow them. */
@Controller()
@UseGuards(AdminSwitch)
export class AdministrationController {
  constructor(
    @Inject(LAUNCH_CONTROL) private readonly control: LaunchControl,
    @Inject(RUN_SLOTS) private readonly slots: RunSlots,
    @Inject(ORPHAN_REGISTER) private readonly orphanRegister: OrphanRegister,
    private readonly changing: ChangeLaunches,
  ) {}

  @Handles(routes.administration.status)
  async status(): Promise<AdminView> {
    // The control first: a client that sees `draining` and no runs can be sure that none will start.
    const launches = await this.control.read();
    return toAdminView(launches, await this.slots.census());
  }

  @Handles(routes.administration.launch)
  launch(): Promise<LaunchState> {
    return this.control.read();
  }

  @Handles(routes.administration.setLaunch)
  async setLaunch(@Body() body: unknown, @Req() request: HttpRequest): Promise<LaunchState> {
    const { before, after, now } = await this.changing.run(body, principalOf(request));
    noteForAudit(request, { object: 'launches', before: launchesOf(before), after: launchesOf(after) });
    return now;
  }

  @Handles(routes.administration.orphans)
  async orphans(): Promise<OrphansView> {
    return { orphans: await this.orphanRegister.list() };
  }

  @Handles(routes.administration.removeOrphans)
  async removeOrphans(@Req() request: HttpRequest): Promise<RemovalView> {
    const removing = await this.orphanRegister.requestRemoval();
    noteForAudit(request, { object: 'orphans', after: { removing } });
    return { removing };
  }
}
