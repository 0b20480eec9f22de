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
      summary: 'Lists maintenance windows that are in progress or announced, next first',
      description: 'No program starts during a window or in the `drainMinutes` before it; see docs/operations.md.',
      answer: maintenanceViewSchema,
    },
  },
  maintenanceAdministration: {
    announce: {
      method: 'POST',
      path: '/v1/admin/maintenance',
      permission: 'admin.change',
      summary: 'Announces a maintenance window',
      description: `Users see the notice from a week before. Windows may overlap, and a window may start in the past. ${forAdministrators}`,
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
      summary: 'Changes a maintenance window: extends, shortens or moves it',
      description: `Absent fields are unchanged. ${forAdministrators}`,
      body: maintenanceChangeSchema,
      examples: [{ until: '2026-12-01T14:00:00+01:00' }],
      answer: maintenanceWindowSchema,
      errors: [404],
    },
    cancel: {
      method: 'POST',
      path: '/v1/admin/maintenance/{id}/cancellation',
      permission: 'admin.change',
      summary: 'Cancels a maintenance window; if it was in progress, programs start again',
      description: forAdministrators,
      answer: maintenanceWindowSchema,
      errors: [404],
    },
  },
});
