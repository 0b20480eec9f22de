import { ApiBody } from '@nestjs/swagger';
import { answers } from './answers';

export const WebhooksDocs = (): MethodDecorator =>
  answers({
    summary: 'Webhooks within reach, and how deliveries to them go',
    description: 'docs/notifications.md says what they are told.',
    status: 200,
    schema: 'Webhooks',
  });

export const NewWebhookDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'Makes a webhook for a session, a batch or a proposal; its secret is in this answer and nowhere else',
      description:
        'The target, or the domain of an e-mail address, has to be one that the installation allows. Foreign sessions and batches do not exist.',
      changes: true,
      status: 201,
      schema: 'NewWebhook',
      errors: [404, 409],
    },
    ApiBody({ schema: { $ref: '#/components/schemas/WebhookWish' } }),
  );

export const RemoveWebhookDocs = (): MethodDecorator =>
  answers({
    summary: 'Removes a webhook, with all that waits for it',
    changes: true,
    status: 200,
    schema: 'Webhook',
    errors: [404],
  });

export const TestWebhookDocs = (): MethodDecorator =>
  answers({
    summary: 'Sends a test message now, and says its outcome',
    changes: true,
    status: 200,
    schema: 'WebhookTest',
    errors: [404],
  });

export const DeadNoticesDocs = (): MethodDecorator =>
  answers({
    summary: 'Notices that are no longer retried, the newest first',
    status: 200,
    schema: 'DeadNotices',
    errors: [404],
  });

export const ReplayDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'Lets dead notices wait again, under the same ids',
      changes: true,
      status: 200,
      schema: 'Replayed',
      errors: [404],
    },
    ApiBody({ required: false, schema: { $ref: '#/components/schemas/ReplayWish' } }),
  );
