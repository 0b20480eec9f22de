import { ApiBody, ApiParam, ApiQuery } from '@nestjs/swagger';
import { Queues, stepStandings } from '@fleet/contracts';
import { answers } from './answers';

const description = 'For administrators; disabled with FLEET_ADMIN_API=off.';
const bodyOf = (name: string): MethodDecorator => ApiBody({ schema: { $ref: `#/components/schemas/${name}` } });

export const DeadStepsDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'Steps that failed for good, by cause, the oldest first',
      description: `Changes nothing. Each queue keeps its last thousand failures. ${description}`,
      status: 200,
      schema: 'DeadSteps',
      errors: [404],
    },
    ApiQuery({ name: 'queue', required: false, description: 'of this queue alone', enum: Object.values(Queues) }),
    ApiQuery({ name: 'cause', required: false, description: 'of this cause alone', schema: { type: 'string' } }),
    ApiQuery({
      name: 'standing',
      required: false,
      description: 'the outcome of the session; without it those that are past are left out',
      enum: stepStandings,
    }),
    ApiQuery({
      name: 'limit',
      required: false,
      description: 'steps of the answer: 1 to 1000, by default 100',
      schema: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
    }),
  );

export const DeadStepDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'A step that failed for good, with where it failed',
      description,
      status: 200,
      schema: 'DeadStepDetail',
      errors: [404],
    },
    ApiParam({ name: 'id', description: 'as the list has it' }),
  );

export const RetryStepsDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'Lets steps that failed for good be tried again, so many a minute',
      description: `A session that was given up is resumed; one that is still at its step is woken. What cannot be tried again is in \`kept\`, with the reason. ${description}`,
      changes: true,
      status: 202,
      schema: 'StepsRetried',
      errors: [404],
    },
    bodyOf('StepRetry'),
  );

export const DropStepsDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'Forgets steps that failed for good, with a reason',
      description: `Sessions stay as they are; a step that its session still waits for is kept. The audit log keeps the reason. ${description}`,
      changes: true,
      status: 200,
      schema: 'StepsDropped',
      errors: [404],
    },
    bodyOf('StepDrop'),
  );
