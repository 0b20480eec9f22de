import { accessRoutes } from '../access/routes';
import { administrationRoutes } from '../administration/routes';
import { auditRoutes } from '../audit/routes';
import { batchesRoutes } from '../batches/routes';
import { eventsRoutes } from '../events/routes';
import { maintenanceRoutes } from '../maintenance/routes';
import { queuesRoutes } from '../queues/routes';
import { resultsRoutes } from '../results/routes';
import { retentionRoutes } from '../retention/routes';
import { serviceRoutes } from '../service/routes';
import { sessionsRoutes } from '../sessions/routes';
import { statisticsRoutes } from '../statistics/routes';
import { submissionsRoutes } from '../submissions/routes';
import { uploadsRoutes } from '../uploads/routes';
import { webhooksRoutes } from '../webhooks/routes';

/** Every route of the gateway except that of decisions (`@fleet/decision-api`), by group and name. */
export const routes = {
  ...accessRoutes,
  ...administrationRoutes,
  ...auditRoutes,
  ...batchesRoutes,
  ...eventsRoutes,
  ...maintenanceRoutes,
  ...queuesRoutes,
  ...resultsRoutes,
  ...retentionRoutes,
  ...serviceRoutes,
  ...sessionsRoutes,
  ...statisticsRoutes,
  ...submissionsRoutes,
  ...uploadsRoutes,
  ...webhooksRoutes,
};
