import { ApiBody, ApiHeader, ApiParam } from '@nestjs/swagger';
import { answers } from './answers';

const header = (name: string, description: string): MethodDecorator => ApiHeader({ name, required: true, description });

export const TriggerDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'Starts a session for a program that signs what it sends',
      description:
        'As POST /v1/sessions, signed as Standard Webhooks has it with the signing secret of a key of the role service, in the place of the key itself. The same webhook-id is the same session.',
      changes: true,
      status: 201,
      schema: 'Session',
      headers: { Location: 'the session', 'Idempotency-Replayed': 'true when this webhook-id was sent before' },
      errors: [401, 403, 409, 422],
    },
    ApiParam({ name: 'key', description: 'the id of the key whose signing secret it is signed with' }),
    header('webhook-id', 'of this message; the same whenever it is sent again'),
    header('webhook-timestamp', 'seconds since 1970 at which it is sent'),
    header(
      'webhook-signature',
      'v1,BASE64 of HMAC-SHA256 over "webhook-id.webhook-timestamp.body"; several with blanks between them',
    ),
    ApiBody({ schema: { $ref: '#/components/schemas/Submission' } }),
  );
