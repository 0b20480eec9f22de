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
      summary: 'Retention of a session: expiry of its files and record, and the rule that sets it',
      description:
        'Without a matching rule or FLEET_RETENTION, a session does not expire. A session that is pinned, is running, or has files that other sessions use is not deleted.',
      answer: sessionRetentionSchema,
      errors: [404],
    },
    pin: {
      method: 'POST',
      path: '/v1/sessions/{id}/pin',
      permission: 'session.change',
      summary: 'Pins a session: retention rules do not delete it',
      description:
        'The reason is shown with the session. Safe to repeat: the new reason replaces the old one. A pin does not prevent deletion on request.',
      body: pinRequestSchema,
      examples: [{ reason: 'deposited as 9ABC' }],
      answer: sessionRetentionSchema,
      errors: [404, 410],
    },
    unpin: {
      method: 'POST',
      path: '/v1/sessions/{id}/unpin',
      permission: 'session.change',
      summary: 'Removes the pin of a session',
      description: 'Retention rules apply again. Safe to repeat.',
      answer: sessionRetentionSchema,
      errors: [404],
    },
  },
  retention: {
    purge: {
      method: 'POST',
      path: '/v1/admin/purges',
      permission: 'admin.change',
      summary: 'Deletes the folders and records of sessions that have expired under the retention rules',
      description: `With \`dryRun\` nothing is deleted, and the response shows what would be. A request checks 100 sessions; repeat it with \`nextCursor\` until there is none. A gateway does the same daily. ${forAdministrators}`,
      body: purgeRequestSchema,
      bodyMayBeAbsent: true,
      examples: [{ dryRun: true }],
      answer: purgeReportSchema,
    },
    deleteOf: {
      method: 'POST',
      path: '/v1/admin/deletions',
      permission: 'admin.change',
      summary: 'Deletes all data of a proposal or a person',
      description: `Deletes sessions with their folders and records, and on the last page batches and uploads. Running sessions are kept and listed. Pins are ignored. A request checks 100 sessions; repeat it with \`nextCursor\` until there is none. The audit log is kept. ${forAdministrators}`,
      body: deletionRequestSchema,
      examples: [{ proposal: 'mx1234', reason: 'request of the user office', dryRun: true }],
      answer: deletionReportSchema,
    },
  },
});
