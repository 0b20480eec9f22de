import { programsViewSchema } from './programs';
import { settingsViewSchema } from './settings';
import { metricsViewSchema } from './metric-definitions';
import { declareRoutes } from '../route/route';
import { anyObject, choice, flag, record } from '../schema/schema';

const okSchema = record('Ok', { status: choice(['ok']) });
const healthSchema = anyObject('status with the details of each probe', 'Health');

export const serviceRoutes = declareRoutes({
  programs: {
    programs: {
      method: 'GET',
      path: '/v1/programs',
      permission: 'service.read',
      summary: 'Lists installed programs, and known programs that are not installed',
      answer: programsViewSchema,
    },
    metrics: {
      method: 'GET',
      path: '/v1/metrics',
      permission: 'service.about',
      summary: 'Lists metrics: label, unit, decimals, direction of improvement',
      answer: metricsViewSchema,
    },
  },
  settings: {
    settings: {
      method: 'GET',
      path: '/v1/settings',
      permission: 'service.read',
      summary: 'Lists the settings of a submission',
      answer: settingsViewSchema,
    },
    ping: {
      method: 'GET',
      path: '/v1/ping',
      permission: 'service.read',
      summary: 'Returns 200 while the process runs',
      answer: okSchema,
    },
  },
  health: {
    live: {
      method: 'GET',
      path: '/health/live',
      permission: 'open',
      summary: 'Liveness probe',
      answer: okSchema,
    },
    ready: {
      method: 'GET',
      path: '/health/ready',
      permission: 'open',
      summary: 'Readiness probe',
      description:
        '503 if the database or Redis is unreachable. Long waits and missing programs are reported as `degraded`: the gateway still accepts and shows sessions.',
      query: { strict: flag('true: also 503 if degraded') },
      answer: healthSchema,
    },
  },
});
