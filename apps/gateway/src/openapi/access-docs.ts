import { ApiBody } from '@nestjs/swagger';
import { answers } from './answers';

export const MeDocs = (): MethodDecorator =>
  answers({ summary: 'Who you are to the gateway', status: 200, schema: 'Me' });

export const IdentityDocs = (): MethodDecorator =>
  answers({
    summary: 'How people log in: the identity provider, where there is one',
    description: 'Open to everybody. `phx login` and the dashboard use it.',
    status: 200,
    schema: 'Identity',
  });

export const KeysDocs = (): MethodDecorator =>
  answers({
    summary: 'The keys of the API, with those that are revoked or have expired',
    description: 'For administrators.',
    status: 200,
    schema: 'ApiKeys',
    errors: [404],
  });

export const NewKeyDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'Makes a key; its text is in this answer and nowhere else',
      description:
        "For administrators. The first key has to be an administrator's: from then on nobody gets in without one.",
      changes: true,
      status: 201,
      schema: 'NewApiKey',
      errors: [404, 409],
    },
    ApiBody({ schema: { $ref: '#/components/schemas/ApiKeyWish' } }),
  );

export const RevokeKeyDocs = (): MethodDecorator =>
  answers({
    summary: 'Revokes a key for good',
    description: 'For administrators. Safe to repeat: the first revocation counts.',
    changes: true,
    status: 200,
    schema: 'ApiKey',
    errors: [404],
  });
