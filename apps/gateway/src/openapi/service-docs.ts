import { ApiBody, ApiQuery } from '@nestjs/swagger';
import { answers } from './answers';

export const ProgramsDocs = (): MethodDecorator =>
  answers({ summary: 'Programs: installed, and known but not installed', status: 200, schema: 'Programs' });

export const MetricsDocs = (): MethodDecorator =>
  answers({ summary: 'Metrics: label, unit, decimals, which way is better', status: 200, schema: 'MetricDefinitions' });

export const SettingsDocs = (): MethodDecorator =>
  answers({ summary: 'Settings that a submission may contain', status: 200, schema: 'SettingDefinitions' });

export const PingDocs = (): MethodDecorator => answers({ summary: 'Answers', status: 200, schema: 'Ok' });

export const RecoveriesDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'Rebuilds sessions from the files in the work folder',
      description:
        'For use after the database has lost them. Sessions that it still has are not touched. Files that this installation did not sign are left out and listed; an administrator recovers them by sending back their digests (trust) with a name (by).',
      changes: true,
      status: 200,
      schema: 'Recovery',
    },
    ApiBody({ required: false, schema: { $ref: '#/components/schemas/RecoveryWish' } }),
  );

export const LiveDocs = (): MethodDecorator => answers({ summary: 'The process runs', status: 200, schema: 'Ok' });

export const ReadyDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'The service can answer',
      description:
        '503 while the database or Redis cannot be reached. Steps that wait too long and missing programs are reported as `degraded`: sessions are still accepted, shown and kept.',
      status: 200,
      schema: 'Health',
    },
    ApiQuery({
      name: 'strict',
      required: false,
      description: 'true: 503 when degraded, too',
      schema: { type: 'boolean' },
    }),
  );
