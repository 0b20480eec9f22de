import { Body, Controller, Param, Req, UseGuards } from '@nestjs/common';
import type { MaintenanceView, MaintenanceWindow } from '@fleet/contracts/maintenance';
import { routes } from '@fleet/contracts/routes';
import { MaintenanceWindows } from '@fleet/launches';
import { principalOf } from '../../auth/access/principal-of';
import { Handles } from '../../http/handles.decorator';
import { AdminSwitch } from '../../http/admin-switch.guard';
import { noteForAudit } from '../../http/audit-note';
import type { HttpRequest } from '../../http/http-types';

/** The public part of maintenance. */
@Controller()
export class MaintenanceController {
  constructor(private readonly maintenance: MaintenanceWindows) {}

  @Handles(routes.maintenance.list)
  async list(@Req() request: HttpRequest): Promise<MaintenanceView> {
    const windows = await this.maintenance.list();
    return {
      windows: principalOf(request).role === 'kiosk' ? windows.map((window) => ({ ...window, by: '' })) : windows,
    };
  }
}

const objectOf = (id: string): string => `maintenance ${id}`;
const inShort = ({ from, until, drainMinutes, text, by }: MaintenanceWindow): Record<string, unknown> => ({
  from,
  until,
  drainMinutes,
  text,
  by,
});

/** Announces maintenance windows. */
@Controller()
@UseGuards(AdminSwitch)
export class MaintenanceAdministrationController {
  constructor(private readonly maintenance: MaintenanceWindows) {}

  @Handles(routes.maintenanceAdministration.announce)
  async announce(@Body() body: unknown, @Req() request: HttpRequest): Promise<MaintenanceWindow> {
    const window = await this.maintenance.announce(body, principalOf(request));
    noteForAudit(request, { object: objectOf(window.id), after: inShort(window) });
    return window;
  }

  @Handles(routes.maintenanceAdministration.change)
  async change(
    @Param('id') id: string,
    @Body() body: unknown,
    @Req() request: HttpRequest,
  ): Promise<MaintenanceWindow> {
    const { before, after } = await this.maintenance.change(id, body, principalOf(request));
    noteForAudit(request, { object: objectOf(id), before: inShort(before), after: inShort(after) });
    return after;
  }

  @Handles(routes.maintenanceAdministration.cancel)
  async cancel(@Param('id') id: string, @Req() request: HttpRequest): Promise<MaintenanceWindow> {
    const before = await this.maintenance.cancel(id);
    noteForAudit(request, { object: objectOf(id), before: inShort(before) });
    return before;
  }
}
