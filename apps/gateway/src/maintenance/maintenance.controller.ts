import { Body, Controller, Get, HttpCode, Inject, Param, Post, Put, Req, UseGuards } from '@nestjs/common';
import { mostMaintenanceWindows, type MaintenanceView, type MaintenanceWindow } from '@fleet/contracts';
import { CLOCK, isoTime, LAUNCH_CONTROL, type Clock, type LaunchControl } from '@fleet/ports';
import { doneBy, principalOf } from '../access/principal-of';
import { Requires } from '../access/requires.decorator';
import { AdminSwitch } from '../administration/admin-switch.guard';
import { noteForAudit } from '../audit/audit-note';
import { ApiError } from '../errors/problem-details';
import { GATEWAY_OPTIONS, type GatewayOptions } from '../gateway-options';
import type { HttpRequest } from '../http/http-types';
import {
  AnnounceMaintenanceDocs,
  CancelMaintenanceDocs,
  ChangeMaintenanceDocs,
  MaintenanceDocs,
} from '../openapi/maintenance-docs';
import { newSessionId } from '../submission/session-id';
import { readChange, readWish, type SaidWindow } from './read-window';

/** What everybody may know of maintenance. */
@Controller('v1/maintenance')
export class MaintenanceController {
  constructor(@Inject(LAUNCH_CONTROL) private readonly control: LaunchControl) {}

  @Get()
  @Requires('service.about')
  @MaintenanceDocs()
  async list(@Req() request: HttpRequest): Promise<MaintenanceView> {
    const windows = await this.control.windows();
    return {
      windows: principalOf(request).role === 'kiosk' ? windows.map((window) => ({ ...window, by: '' })) : windows,
    };
  }
}

const objectOf = (id: string): string => `maintenance ${id}`;
const inShort = ({ from, until, drainMinutes, text, by }: SaidWindow): Record<string, unknown> => ({
  from,
  until,
  drainMinutes,
  text,
  by,
});

/** Announces maintenance windows. The gateway writes them down; executors look at them before each launch. */
@Controller('v1/admin/maintenance')
@UseGuards(AdminSwitch)
export class MaintenanceAdministrationController {
  constructor(
    @Inject(LAUNCH_CONTROL) private readonly control: LaunchControl,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(GATEWAY_OPTIONS) private readonly options: GatewayOptions,
  ) {}

  @Post()
  @Requires('admin.change')
  @AnnounceMaintenanceDocs()
  async announce(@Body() body: unknown, @Req() request: HttpRequest): Promise<MaintenanceWindow> {
    const now = this.clock.now();
    const said = readWish(body, now);
    const announced = await this.control.windows();
    if (announced.length >= mostMaintenanceWindows)
      throw new ApiError(
        'maintenance.too_many',
        `There are ${String(announced.length)} maintenance windows already, and no more than ${String(mostMaintenanceWindows)} may be announced: cancel some.`,
      );
    const window = this.windowOf(newSessionId(now), said, request);
    await this.control.announce(window);
    noteForAudit(request, { object: objectOf(window.id), after: inShort(window) });
    return window;
  }

  @Put(':id')
  @Requires('admin.change')
  @ChangeMaintenanceDocs()
  async change(
    @Param('id') id: string,
    @Body() body: unknown,
    @Req() request: HttpRequest,
  ): Promise<MaintenanceWindow> {
    const before = await this.found(id);
    const window = this.windowOf(id, readChange(body, before, this.clock.now()), request);
    if (!(await this.control.change(window))) throw noSuchWindow(id);
    noteForAudit(request, { object: objectOf(id), before: inShort(before), after: inShort(window) });
    return window;
  }

  @Post(':id/cancellation')
  @HttpCode(200)
  @Requires('admin.change')
  @CancelMaintenanceDocs()
  async cancel(@Param('id') id: string, @Req() request: HttpRequest): Promise<MaintenanceWindow> {
    const before = await this.found(id);
    if (!(await this.control.cancel(id))) throw noSuchWindow(id);
    noteForAudit(request, { object: objectOf(id), before: inShort(before) });
    return before;
  }

  private windowOf(id: string, said: SaidWindow, request: HttpRequest): MaintenanceWindow {
    const by = doneBy(principalOf(request), said.by);
    return { ...said, id, by, zone: this.options.timeZone, announcedAt: isoTime(this.clock) };
  }

  private async found(id: string): Promise<MaintenanceWindow> {
    const window = (await this.control.windows()).find((one) => one.id === id);
    if (window === undefined) throw noSuchWindow(id);
    return window;
  }
}

const noSuchWindow = (id: string): ApiError =>
  new ApiError(
    'maintenance.not_found',
    `There is no maintenance window ${JSON.stringify(id)}: it is over, was cancelled, or never was. phx admin maintenance list shows those that there are.`,
  );
