import { finding, type Checkup } from '@fleet/ports';

/** Checks the account of the service. */
export const processCheckup = (uid: number | undefined = process.getuid?.()): Checkup => ({
  area: 'process',
  check: () =>
    Promise.resolve([
      finding(
        'process.user',
        uid === 0 ? 'warning' : 'ok',
        `The service runs as uid ${String(uid)}, groups ${String(process.getgroups?.())}.`,
        {
          why: 'No other user can change what root writes, and a mistake reaches the whole machine.',
          remedy: 'Run the services as a user of their own, in the group of the work root (docs/container-images.md).',
        },
      ),
    ]),
});
