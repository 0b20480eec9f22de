import { ApiBody } from '@nestjs/swagger';
import { answers } from './answers';

const description = 'For administrators; switched off with FLEET_ADMIN_API=off.';

export const AdminStatusDocs = (): MethodDecorator =>
  answers({
    summary: 'Whether programs are launched, what runs, what waits',
    description,
    status: 200,
    schema: 'AdminStatus',
    errors: [404],
  });

export const LaunchDocs = (): MethodDecorator =>
  answers({ summary: 'Whether programs are launched', description, status: 200, schema: 'Launch', errors: [404] });

export const SetLaunchDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'Opens, pauses or drains launches',
      description: `Running programs go on, decisions and analyses too; whoever waits is told the reason. ${description}`,
      changes: true,
      status: 200,
      schema: 'Launch',
      errors: [404],
    },
    ApiBody({ schema: { $ref: '#/components/schemas/LaunchWish' } }),
  );

export const OrphansDocs = (): MethodDecorator =>
  answers({
    summary: 'Runs on the backend that no session wants',
    description: `Changes nothing. With two strikes an orphan may be removed. ${description}`,
    status: 200,
    schema: 'Orphans',
    errors: [404],
  });

export const RemoveOrphansDocs = (): MethodDecorator =>
  answers({
    summary: 'Asks for the removal of all orphans with two strikes',
    description: `An executor looks once more whether a session wants them, and removes them within seconds. ${description}`,
    changes: true,
    status: 202,
    schema: 'OrphanRemoval',
    errors: [404],
  });
