import { ApiBody } from '@nestjs/swagger';
import { answers } from './answers';

const description = 'For administrators; disabled with FLEET_ADMIN_API=off.';

export const SharesDocs = (): MethodDecorator =>
  answers({
    summary: 'How the slots for programs are shared',
    description,
    status: 200,
    schema: 'Shares',
    errors: [404],
  });

export const SetSharesDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'Sets how the slots for programs are shared',
      description: `It takes the place of all that was set before; members that are absent have their defaults. Executors follow within seconds; what runs continues. ${description}`,
      changes: true,
      status: 200,
      schema: 'Shares',
      errors: [404],
    },
    ApiBody({ schema: { $ref: '#/components/schemas/SharesChange' } }),
  );

export const StandingDocs = (): MethodDecorator =>
  answers({
    summary: 'Where the program of a session stands that waits for a slot',
    description:
      'Why, its position, since when the oldest waits for the same, and an estimate of the start. Without a standing the program does not wait for a slot, or is next.',
    status: 200,
    schema: 'StandingAnswer',
    errors: [404],
  });
