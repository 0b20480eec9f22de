import { ApiBody } from '@nestjs/swagger';
import { answers } from './answers';

const description = 'For administrators; disabled with FLEET_ADMIN_API=off.';

export const MaintenanceDocs = (): MethodDecorator =>
  answers({
    summary: 'Maintenance windows that are under way or announced, the next first',
    description: 'In them, and for `drainMinutes` before, no program is launched; docs/operations.md says more.',
    status: 200,
    schema: 'Maintenance',
  });

export const AnnounceMaintenanceDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'Announces a maintenance window',
      description: `Everybody is told from a week before. Windows may overlap; one may have begun already. ${description}`,
      changes: true,
      status: 201,
      schema: 'MaintenanceWindow',
      errors: [404, 409],
    },
    ApiBody({ schema: { $ref: '#/components/schemas/MaintenanceWish' } }),
  );

export const ChangeMaintenanceDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'Changes a window: extends it, ends it sooner, moves it',
      description: `What is not named stays as it is. ${description}`,
      changes: true,
      status: 200,
      schema: 'MaintenanceWindow',
      errors: [404],
    },
    ApiBody({ schema: { $ref: '#/components/schemas/MaintenanceChange' } }),
  );

export const CancelMaintenanceDocs = (): MethodDecorator =>
  answers({
    summary: 'Cancels a window; where it was under way, programs are launched again',
    description,
    changes: true,
    status: 200,
    schema: 'MaintenanceWindow',
    errors: [404],
  });
