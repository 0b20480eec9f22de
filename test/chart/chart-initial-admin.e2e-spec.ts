// @needs helm
import { readKeyText } from '@fleet/keys';
import { find, podsOf, render, type Rendered, type RenderedPod } from './chart-command';

const folder = '/run/secrets/phenix-fleet-admin';
const off = { 'access.initialAdminKey.enabled': false };
const drained = { 'upgrade.drain.enabled': true };

const secretsOf = (objects: readonly Rendered[]): readonly Rendered[] =>
  objects.filter(({ kind, metadata }) => kind === 'Secret' && metadata.name.endsWith('-initial-admin'));
const holding = (objects: readonly Rendered[], secret: string): readonly RenderedPod[] =>
  podsOf(objects).filter(({ spec }) => (spec.volumes ?? []).some((volume) => volume.secret?.secretName === secret));
const componentsOf = (pods: readonly RenderedPod[]): readonly string[] =>
  pods.map(({ labels }) => labels['app.kubernetes.io/component'] ?? '').toSorted();

describe('the key of the initial administrator in the chart', () => {
  it('is made, is one that the gateway takes, and outlives the release', () => {
    const secrets = secretsOf(render('minimal'));
    expect(secrets).toMatchObject([{ metadata: { annotations: { 'helm.sh/resource-policy': 'keep' } } }]);
    expect(readKeyText(secrets[0]?.stringData?.['key'] ?? '')).toBeDefined();
  });

  it('lies in the gateway, and in the hooks and the test that ask it, which do not wait for it; in no program and no worker', () => {
    const objects = render('minimal', drained);
    const name = secretsOf(objects)[0]?.metadata.name ?? '';
    const pods = holding(objects, name);
    expect(componentsOf(pods)).toEqual(['drain', 'drain', 'gateway', 'test']);
    for (const { spec, labels } of pods) {
      const isHook = labels['app.kubernetes.io/component'] !== 'gateway';
      const secret = { secretName: name, defaultMode: 0o444, items: [{ key: 'key', path: 'key' }] };
      expect(spec.volumes).toContainEqual({
        name: 'admin-key',
        secret: { ...secret, ...(isHook && { optional: true }) },
      });
      const [container] = spec.containers;
      expect(container?.volumeMounts).toContainEqual({ name: 'admin-key', mountPath: folder, readOnly: true });
      const variable = isHook ? 'ADMIN_KEY_FILE' : 'FLEET_INITIAL_ADMIN_KEY_FILE';
      expect(container?.env).toContainEqual({ name: variable, value: `${folder}/key` });
    }
    expect(JSON.stringify(find(objects, 'ConfigMap', '-kubernetes').data)).not.toContain('initial-admin');
  });

  it('is yours where you name one, and then none is made', () => {
    const objects = render('minimal', { 'access.initialAdminKey.existingSecret': 'our-admin' });
    expect(secretsOf(objects)).toEqual([]);
    expect(componentsOf(holding(objects, 'our-admin'))).toEqual(['gateway', 'test']);
  });

  it('can be left out: then the gateway starts only where a key was made before, or everybody may come in', () => {
    const objects = render('minimal', { ...off, ...drained, 'config.FLEET_OPEN_ACCESS': 'anywhere' });
    expect(JSON.stringify(objects)).not.toMatch(/initial-admin|phenix-fleet-admin/);
    expect(find(objects, 'ConfigMap', '-config').data).toMatchObject({ FLEET_OPEN_ACCESS: 'anywhere' });
  });
});
