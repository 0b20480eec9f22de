import {
  deletionReportSchema,
  deletionWishSchema,
  pinWishSchema,
  purgeReportSchema,
  purgeWishSchema,
  sessionRetentionSchema,
} from '@fleet/contracts';
import { ApiBody } from '@nestjs/swagger';
import { answers } from './answers';

/** What is sent and answered, by the names of the OpenAPI document. */
export const retentionSchemas = {
  SessionRetention: sessionRetentionSchema,
  PinWish: pinWishSchema,
  PurgeWish: purgeWishSchema,
  DeletionWish: deletionWishSchema,
  DeletionReport: deletionReportSchema,
  PurgeReport: purgeReportSchema,
};

const body = (schema: string): MethodDecorator => ApiBody({ schema: { $ref: `#/components/schemas/${schema}` } });

export const PurgeDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'Deletes folders and records of sessions that are due by the retention rules',
      description:
        'With `dryRun` nothing is deleted, and the response shows what would be. A request looks at 100 sessions; repeat it with `nextCursor` until there is none. ' +
        'A gateway does the same once a day. For administrators; disabled with FLEET_ADMIN_API=off.',
      changes: true,
      status: 200,
      schema: 'PurgeReport',
    },
    body('PurgeWish'),
  );

export const SessionRetentionDocs = (): MethodDecorator =>
  answers({
    summary: 'How long the files and the record of a session are kept, and by which rule',
    description:
      'Without a rule, and without FLEET_RETENTION, there is no end. A session that is pinned, runs or whose files others use is kept in spite of it.',
    status: 200,
    schema: 'SessionRetention',
    errors: [404],
  });

export const PinDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'Pins a session: no rule deletes it',
      description:
        'The reason is shown with it. Safe to repeat: the new reason counts. A deletion on request is not held.',
      changes: true,
      status: 200,
      schema: 'SessionRetention',
      errors: [404, 410],
    },
    body('PinWish'),
  );

export const UnpinDocs = (): MethodDecorator =>
  answers({
    summary: 'Takes the pin of a session away',
    description: 'The rules count again. Safe to repeat.',
    changes: true,
    status: 200,
    schema: 'SessionRetention',
    errors: [404],
  });

export const DeletionDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'Deletes all that the service has of a proposal or of a person',
      description:
        'Sessions with their folders and records; with the last page batches and uploads. What runs stays, and is named. Pins do not hold. A request looks at 100 sessions; ' +
        'repeat it with `nextCursor` until there is none. The audit log stays. For administrators; disabled with FLEET_ADMIN_API=off.',
      changes: true,
      status: 200,
      schema: 'DeletionReport',
    },
    body('DeletionWish'),
  );
