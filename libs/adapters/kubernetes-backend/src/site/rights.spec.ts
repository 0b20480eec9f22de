import { rightsFindings } from './rights';
import type { Right } from './site-api';

const found = (may: (right: Right) => boolean) =>
  rightsFindings({ namespace: 'fleet-jobs', may: (right) => Promise.resolve(may(right)) });
const ofRole = ({ verb, resource }: Right): boolean =>
  verb !== '*' &&
  ['jobs', 'pods', 'pods/log', 'events'].includes(resource) &&
  !(resource === 'pods' && verb === 'create');

describe('the rights of an executor', () => {
  it('are those of the Role and no others', async () => {
    await expect(found(ofRole)).resolves.toMatchObject([
      { check: 'cluster.rights', level: 'ok' },
      { check: 'cluster.rights_beyond', level: 'ok' },
    ]);
  });

  it('that are missing are listed, each with its reason and a command that tests it', async () => {
    const [missing, ...others] = await found((right) => ofRole(right) && right.verb !== 'delete');
    expect(missing).toEqual({
      check: 'cluster.rights',
      level: 'error',
      seen: "The executor's account may not delete jobs in fleet-jobs.",
      why: 'Programs are started, seen and cancelled as Jobs.',
      remedy: expect.stringContaining('kubectl auth can-i delete jobs -n fleet-jobs') as string,
    });
    expect(others).toMatchObject([{ check: 'cluster.rights_beyond', level: 'ok' }]);
  });

  it('that are not needed are a warning', async () => {
    const beyond = (await found(() => true)).find(({ check }) => check === 'cluster.rights_beyond');
    expect(beyond?.level).toBe('warning');
    expect(beyond?.seen).toContain('do everything in the cluster (cluster-admin)');
    const secrets = await found((right) => ofRole(right) || right.resource === 'secrets');
    expect(secrets.at(-1)?.seen).toBe("The executor's account may also read Secrets in fleet-jobs.");
  });
});
