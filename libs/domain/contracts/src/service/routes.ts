import { programsViewSchema } from './programs';
import { settingsViewSchema } from './settings';
import { metricsViewSchema } from './metric-definitions';
import { declareRoutes } from '../route/route';
import { anyObject, choice, flag, record } from '../schema/schema';

const okSchema = record('Ok', { status: choice(['ok']) });
const healthSchema = anyObject('status, and details of each probe', 'Health');

export const serviceRoutes = declareRoutes({
  programs: {
    programs: {
      method: 'GET',
      path: '/v1/programs',
      permission: 'service.read',
      summary: 'Programs: installed, and known but not installed',
      answer: programsViewSchema,
    },
    metrics: {
      method: 'GET',
      path: '/v1/metrics',
      permission: 'service.about',
      summary: 'Metrics: label, unit, decimals, which way is better',
      answer: metricsViewSchema,
    },
  },
  settings: {
    settings: {
      method: 'GET',
      path: '/v1/settings',
      permission: 'service.read',
      summary: 'Settings that a submission may contain',
      answer: settingsViewSchema,
    },
    ping: {
      method: 'GET',
      path: '/v1/ping',
      permission: 'service.read',
      summary: 'Answers',
      answer: okSchema,
    },
  },
  health: {
    live: {
      method: 'GET',
      path: '/health/live',
      permission: 'open',
      summary: 'The process runs',
      answer: okSchema,
    },
    ready: {
      method: 'GET',
      path: '/health/ready',
      permission: 'open',
      summary: 'The service can answer',
      description:
        '503 while the database or Redis cannot be reached. Steps that wait too long and missing programs are reported as `degraded`: sessions are still accepted, shown and kept.',
      query: { strict: flag('true: 503 when degraded, too') },
      answer: healthSchema,
    },
  },
});
