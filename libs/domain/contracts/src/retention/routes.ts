import {
  deletionReportSchema,
  deletionRequestSchema,
  pinRequestSchema,
  purgeReportSchema,
  purgeRequestSchema,
  sessionRetentionSchema,
} from './retention';
import { declareRoutes, forAdministrators } from '../route/route';

export const retentionRoutes = declareRoutes({
  sessionRetention: {
    read: {
      method: 'GET',
      path: '/v1/sessions/{id}/retention',
      permission: 'session.read',
      summary: 'How long the files and the record of a session are kept, and by which rule',
      description:
        'Without a rule, and without FLEET_RETENTION, there is no end. A session that is pinned, runs or whose files others use is kept in spite of it.',
      answer: sessionRetentionSchema,
      errors: [404],
    },
    pin: {
      method: 'POST',
      path: '/v1/sessions/{id}/pin',
      permission: 'session.change',
      summary: 'Pins a session: no rule deletes it',
      description:
        'The reason is shown with it. Safe to repeat: the new reason counts. A deletion on request is not held.',
      body: pinRequestSchema,
      examples: [{ reason: 'deposited as 9ABC' }],
      answer: sessionRetentionSchema,
      errors: [404, 410],
    },
    unpin: {
      method: 'POST',
      path: '/v1/sessions/{id}/unpin',
      permission: 'session.change',
      summary: 'Takes the pin of a session away',
      description: 'The rules count again. Safe to repeat.',
      answer: sessionRetentionSchema,
      errors: [404],
    },
  },
  retention: {
    purge: {
      method: 'POST',
      path: '/v1/admin/purges',
      permission: 'admin.change',
      summary: 'Deletes folders and records of sessions that are due by the retention rules',
      description: `With \`dryRun\` nothing is deleted, and the response shows what would be. A request looks at 100 sessions; repeat it with \`nextCursor\` until there is none. A gateway does the same once a day. ${forAdministrators}`,
      body: purgeRequestSchema,
      bodyMayBeAbsent: true,
      examples: [{ dryRun: true }],
      answer: purgeReportSchema,
    },
    deleteOf: {
      method: 'POST',
      path: '/v1/admin/deletions',
      permission: 'admin.change',
      summary: 'Deletes all that the service has of a proposal or of a person',
      description: `Sessions with their folders and records; with the last page batches and uploads. What runs stays, and is named. Pins do not hold. A request looks at 100 sessions; repeat it with \`nextCursor\` until there is none. The audit log stays. ${forAdministrators}`,
      body: deletionRequestSchema,
      examples: [{ proposal: 'mx1234', reason: 'request of the user office', dryRun: true }],
      answer: deletionReportSchema,
    },
  },
});
