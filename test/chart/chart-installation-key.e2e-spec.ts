// @needs helm
import { podsOf, render, type Rendered } from './chart-command';

const path = '/run/secrets/phenix-fleet-installation/keys';
const services = ['gateway', 'decision-worker', 'executor-worker', 'log-analysis-worker'];

const environmentOf = (objects: readonly Rendered[]): Readonly<Record<string, string>> | undefined =>
  objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.endsWith('-config'))?.data;

describe('the key of the installation', () => {
  it('is made, is one, and outlives the release', () => {
    const secrets = render('minimal').filter(
      ({ kind, metadata }) => kind === 'Secret' && metadata.name.endsWith('-key'),
    );
    expect(secrets).toMatchObject([
      { metadata: { namespace: 'fleet', annotations: { 'helm.sh/resource-policy': 'keep' } } },
    ]);
    const key = Buffer.from(secrets[0]?.stringData?.['keys'] ?? '', 'base64');
    expect(key.length).toBeGreaterThanOrEqual(32);
  });

  it('is mounted in the services and nowhere else, and is in no variable', () => {
    const objects = render('minimal');
    expect(environmentOf(objects)).toMatchObject({ FLEET_INSTALLATION_KEY_FILE: path });
    const mounted = podsOf(objects).filter(({ spec }) =>
      (spec.volumes ?? []).some(({ secret }) => secret?.secretName?.includes('installation') === true),
    );
    expect(mounted.map(({ labels }) => labels['app.kubernetes.io/component']).sort()).toEqual([...services].sort());
    for (const { spec } of mounted)
      expect(spec.containers[0]?.volumeMounts).toContainEqual({
        name: 'installation-key',
        mountPath: '/run/secrets/phenix-fleet-installation',
        readOnly: true,
      });
  });

  it('is not a part of what a program is given', () => {
    const settings = render('minimal').find(
      ({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.endsWith('-kubernetes'),
    );
    expect(JSON.stringify(settings?.data)).not.toMatch(/installation-key|phenix-fleet-installation/);
  });

  it('is yours where you name one, and then none is made', () => {
    const objects = render('minimal', {
      'installationKey.existingSecret': 'our-installation',
      'installationKey.secretKey': 'mac',
    });
    expect(objects.filter(({ kind, metadata }) => kind === 'Secret' && metadata.name.endsWith('-key'))).toEqual([]);
    for (const { spec } of podsOf(objects).filter(({ labels }) =>
      services.includes(labels['app.kubernetes.io/component'] ?? ''),
    ))
      expect(spec.volumes).toContainEqual({
        name: 'installation-key',
        secret: { secretName: 'our-installation', defaultMode: 0o444, items: [{ key: 'mac', path: 'keys' }] },
      });
  });
});
