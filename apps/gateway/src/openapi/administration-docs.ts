import { ApiBody } from '@nestjs/swagger';
import { answers } from './answers';

const description = 'For administrators; disabled with FLEET_ADMIN_API=off.';

export const AdminStatusDocs = (): MethodDecorator =>
  answers({
    summary: 'Whether programs are launched, what is running and what is waiting',
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
      description: `Running programs, decisions and analyses continue; users who wait are told the reason. ${description}`,
      changes: true,
      status: 200,
      schema: 'Launch',
      errors: [404],
    },
    ApiBody({ schema: { $ref: '#/components/schemas/LaunchWish' } }),
  );

export const OrphansDocs = (): MethodDecorator =>
  answers({
    summary: 'Runs on the backend that belong to no session',
    description: `Changes nothing. An orphan that was seen twice may be removed. ${description}`,
    status: 200,
    schema: 'Orphans',
    errors: [404],
  });

export const RemoveOrphansDocs = (): MethodDecorator =>
  answers({
    summary: 'Requests the removal of all orphans that were seen twice',
    description: `An executor checks once more that they belong to no session, and removes them within seconds. ${description}`,
    changes: true,
    status: 202,
    schema: 'OrphanRemoval',
    errors: [404],
  });
