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
      summary: "Lists the caller's webhooks with the state of their deliveries",
      description: 'For the content of notifications see docs/notifications.md.',
      answer: webhooksViewSchema,
    },
    create: {
      method: 'POST',
      path: '/v1/webhooks',
      permission: 'webhook.change',
      summary: 'Creates a webhook for a session, a batch or a proposal; only this response contains its secret',
      description:
        'The installation must allow the target host or e-mail domain. Sessions and batches that the caller may not see are reported as not found.',
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
      summary: 'Removes a webhook and its pending notifications',
      answer: webhookViewSchema,
      errors: [404],
    },
    test: {
      method: 'POST',
      path: '/v1/webhooks/{id}/test',
      permission: 'webhook.change',
      summary: 'Sends a test message and returns the result',
      answer: webhookTestSchema,
      errors: [404],
    },
    dead: {
      method: 'GET',
      path: '/v1/webhooks/{id}/dead',
      permission: 'webhook.read',
      summary: 'Lists dead notifications, newest first',
      answer: deadNoticesSchema,
      errors: [404],
    },
    replay: {
      method: 'POST',
      path: '/v1/webhooks/{id}/replay',
      permission: 'webhook.change',
      summary: 'Retries dead notifications under the same ids',
      body: replayRequestSchema,
      bodyMayBeAbsent: true,
      examples: [{}],
      answer: replayedSchema,
      errors: [404],
    },
  },
});
