import { Body, Controller, Get, HttpCode, Inject, Post, Put, Req, UseGuards } from '@nestjs/common';
import { toAdminView } from '@fleet/api-views';
import type { AdminView, LaunchState, OrphansView, RemovalView } from '@fleet/contracts';
import {
  LAUNCH_CONTROL,
  ORPHAN_REGISTER,
  RUN_SLOTS,
  type LaunchControl,
  type OrphanRegister,
  type RunSlots,
} from '@fleet/ports';
import { doneBy, principalOf } from '../access/principal-of';
import { Requires } from '../access/requires.decorator';
import { noteForAudit } from '../audit/audit-note';
import type { HttpRequest } from '../http/http-types';
import {
  AdminStatusDocs,
  LaunchDocs,
  OrphansDocs,
  RemoveOrphansDocs,
  SetLaunchDocs,
} from '../openapi/administration-docs';
import { refuseProblems } from '../session-tools/reopen-session';
import { ProblemList } from '../submission/problem-list';
import { AdminSwitch } from './admin-switch.guard';
import { readLaunchBody } from './read-launch-body';

const launchesOf = ({ mode, reason, by }: LaunchState): Record<string, unknown> => ({ mode, reason, by });

/**
 * For those who run the service.
 * The gateway touches no run: it writes down what is wanted, and executors do it.
 */
@Controller('v1/admin')
@UseGuards(AdminSwitch)
export class AdministrationController {
  constructor(
    @Inject(LAUNCH_CONTROL) private readonly control: LaunchControl,
    @Inject(RUN_SLOTS) private readonly slots: RunSlots,
    @Inject(ORPHAN_REGISTER) private readonly orphanRegister: OrphanRegister,
  ) {}

  @Get('status')
  @Requires('admin.read')
  @AdminStatusDocs()
  async status(): Promise<AdminView> {
    // The control first: who sees `draining` and no runs can be sure that none will come.
    const launches = await this.control.read();
    return toAdminView(launches, await this.slots.census());
  }

  @Get('launch')
  @Requires('admin.read')
  @LaunchDocs()
  launch(): Promise<LaunchState> {
    return this.control.read();
  }

  @Put('launch')
  @Requires('admin.change')
  @SetLaunchDocs()
  async setLaunch(@Body() body: unknown, @Req() request: HttpRequest): Promise<LaunchState> {
    const problems = new ProblemList();
    const said = readLaunchBody(body, problems);
    refuseProblems(problems);
    const before = await this.control.said();
    const after = await this.control.set({ ...said, by: doneBy(principalOf(request), said.by) });
    noteForAudit(request, { object: 'launches', before: launchesOf(before), after: launchesOf(after) });
    // Who opens launches reads that a maintenance window still holds them.
    return this.control.read();
  }

  @Get('orphans')
  @Requires('admin.read')
  @OrphansDocs()
  async orphans(): Promise<OrphansView> {
    return { orphans: await this.orphanRegister.list() };
  }

  @Post('orphans/removal')
  @Requires('admin.change')
  @HttpCode(202)
  @RemoveOrphansDocs()
  async removeOrphans(@Req() request: HttpRequest): Promise<RemovalView> {
    const removing = await this.orphanRegister.requestRemoval();
    noteForAudit(request, { object: 'orphans', after: { removing } });
    return { removing };
  }
}
