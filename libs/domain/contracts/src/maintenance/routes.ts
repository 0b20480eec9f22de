import {
  maintenanceChangeSchema,
  maintenanceViewSchema,
  maintenanceWindowSchema,
  maintenanceRequestSchema,
} from './maintenance';
import { declareRoutes, forAdministrators } from '../route/route';

export const maintenanceRoutes = declareRoutes({
  maintenance: {
    list: {
      method: 'GET',
      path: '/v1/maintenance',
      permission: 'service.about',
      summary: 'Maintenance windows that are under way or announced, the next first',
      description: 'In them, and for `drainMinutes` before, no program is launched; docs/operations.md says more.',
      answer: maintenanceViewSchema,
    },
  },
  maintenanceAdministration: {
    announce: {
      method: 'POST',
      path: '/v1/admin/maintenance',
      permission: 'admin.change',
      summary: 'Announces a maintenance window',
      description: `Everyone is notified from a week before. Windows may overlap; one may have begun already. ${forAdministrators}`,
      body: maintenanceRequestSchema,
      examples: [
        {
          from: '2026-12-01T08:00:00+01:00',
          until: '2026-12-01T12:00:00+01:00',
          text: 'the file server is moved',
          drainMinutes: 45,
        },
      ],
      status: 201,
      answer: maintenanceWindowSchema,
      errors: [404, 409],
    },
    change: {
      method: 'PUT',
      path: '/v1/admin/maintenance/{id}',
      permission: 'admin.change',
      summary: 'Changes a window: extends it, ends it sooner, moves it',
      description: `What is not named stays as it is. ${forAdministrators}`,
      body: maintenanceChangeSchema,
      examples: [{ until: '2026-12-01T14:00:00+01:00' }],
      answer: maintenanceWindowSchema,
      errors: [404],
    },
    cancel: {
      method: 'POST',
      path: '/v1/admin/maintenance/{id}/cancellation',
      permission: 'admin.change',
      summary: 'Cancels a window; where it was under way, programs are launched again',
      description: forAdministrators,
      answer: maintenanceWindowSchema,
      errors: [404],
    },
  },
});
