import { ApiBody, ApiQuery } from '@nestjs/swagger';
import { answers } from './answers';

export const ProgramsDocs = (): MethodDecorator =>
  answers({ summary: 'Programs: installed, and known but not installed', status: 200, schema: 'Programs' });

export const MetricsDocs = (): MethodDecorator =>
  answers({ summary: 'Metrics: label, unit, decimals, which way is better', status: 200, schema: 'MetricDefinitions' });

export const SettingsDocs = (): MethodDecorator =>
  answers({ summary: 'Settings that a submission may give', status: 200, schema: 'SettingDefinitions' });

export const PingDocs = (): MethodDecorator => answers({ summary: 'Answers', status: 200, schema: 'Ok' });

export const RecoveriesDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'Rebuilds sessions from the files in the work folder',
      description:
        'For a Redis that lost them. Sessions that are there are left alone. Files that this installation has not signed are left out and listed; an administrator recovers them by sending back their digests (trust) with a name (by).',
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
        '503 while Redis cannot be asked. Steps that wait too long and missing programs are `degraded`: sessions are still taken, shown and kept.',
      status: 200,
      schema: 'Health',
    },
    ApiQuery({
      name: 'strict',
      required: false,
      description: 'true: degraded is 503 too',
      schema: { type: 'boolean' },
    }),
  );
