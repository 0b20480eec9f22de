import { declareRoutes } from '../route/route';
import {
  deadNoticesSchema,
  newWebhookSchema,
  replayRequestSchema,
  replayedSchema,
  webhookMessageSchema,
  webhookTestSchema,
  webhookViewSchema,
  webhookRequestSchema,
  webhooksViewSchema,
} from './webhooks';

export const webhooksRoutes = declareRoutes({
  webhooks: {
    list: {
      method: 'GET',
      path: '/v1/webhooks',
      permission: 'webhook.list',
      summary: 'Webhooks within reach, and how deliveries to them go',
      description: 'docs/notifications.md says what they receive.',
      answer: webhooksViewSchema,
    },
    create: {
      method: 'POST',
      path: '/v1/webhooks',
      permission: 'webhook.change',
      summary: 'Makes a webhook for a session, a batch or a proposal; its secret is in this answer and nowhere else',
      description:
        'The target, or the domain of an e-mail address, has to be one that the installation allows. Foreign sessions and batches do not exist.',
      body: webhookRequestSchema,
      examples: [
        { url: 'https://elog.example.org/hooks/fleet', proposal: 'mx1234', label: 'electronic logbook' },
        { url: 'mailto:ada@example.org', proposal: 'mx1234', everyMinutes: 30 },
      ],
      status: 201,
      answer: newWebhookSchema,
      messages: [webhookMessageSchema],
      errors: [404, 409],
    },
    remove: {
      method: 'POST',
      path: '/v1/webhooks/{id}/removal',
      permission: 'webhook.change',
      summary: 'Removes a webhook, with all that waits for it',
      answer: webhookViewSchema,
      errors: [404],
    },
    test: {
      method: 'POST',
      path: '/v1/webhooks/{id}/test',
      permission: 'webhook.change',
      summary: 'Sends a test message now, and says its outcome',
      answer: webhookTestSchema,
      errors: [404],
    },
    dead: {
      method: 'GET',
      path: '/v1/webhooks/{id}/dead',
      permission: 'webhook.read',
      summary: 'Notices that are no longer retried, the newest first',
      answer: deadNoticesSchema,
      errors: [404],
    },
    replay: {
      method: 'POST',
      path: '/v1/webhooks/{id}/replay',
      permission: 'webhook.change',
      summary: 'Lets dead notices wait again, under the same ids',
      body: replayRequestSchema,
      bodyMayBeAbsent: true,
      examples: [{}],
      answer: replayedSchema,
      errors: [404],
    },
  },
});
