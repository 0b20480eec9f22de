// @needs helm
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { find, objectsOf, podsOf, render, run, template } from './chart-command';

describe('Redis', () => {
  it('keeps no file and has no volume that lasts, and never evicts', () => {
    const objects = render('minimal');
    const config = find(objects, 'ConfigMap', '-redis').data?.['redis.conf'];
    for (const line of ['appendonly no', 'save ""', 'maxmemory-policy noeviction'])
      expect(config?.split('\n')).toContain(line);
    const server = find(objects, 'Deployment', '-redis');
    expect(server.spec).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } });
    const [pod] = podsOf([server]);
    expect(pod?.spec.volumes?.map(({ name }) => name)).toEqual(['tmp', 'config', 'password']);
  });

  it.each(['plain', `a "b" 'c' \\\\ #d`])('asks for the password of its Secret, whatever its signs: %s', (password) => {
    const folder = mkdtempSync(join(tmpdir(), 'fleet-chart-'));
    try {
      writeFileSync(join(folder, 'redis.conf'), 'port 6379\n');
      writeFileSync(join(folder, 'password'), `${password}\n`);
      // The server is one that shows its configuration.
      const [pod] = podsOf([find(render('minimal', { 'redis.bundled.server': 'cat' }), 'Deployment', '-redis')]);
      const [shell = '', ...args] = pod?.spec.containers[0]?.command ?? [];
      const here = args.map((arg) =>
        arg
          .replaceAll('/tmp/redis.conf', `${folder}/made.conf`)
          .replaceAll(/\/(etc|run\/secrets)\/redis\//g, `${folder}/`),
      );
      const [, asked = ''] = /^requirepass "(.*)"$/m.exec(run(shell, here).output) ?? [];
      expect(asked.replaceAll(/\\(.)/g, '$1')).toBe(password);
      expect(asked).not.toMatch(/^"|[^\\]"/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('has its password in a Secret alone', () => {
    const { output } = template('minimal');
    const { password, url } = find(objectsOf(output), 'Secret', '-redis').stringData ?? {};
    expect(password).toMatch(/^\w{40}$/);
    expect(url).toBe(`redis://:${String(password)}@fleet-phenix-fleet-redis.fleet.svc.cluster.local:6379`);
    expect(output.split(String(password))).toHaveLength(3);
  });

  it('is not made where an external one is named', () => {
    const objects = render('shared-namespace');
    expect(objects.filter(({ metadata }) => metadata.name.endsWith('-redis'))).toEqual([]);
    const made = objects.filter(({ kind }) => kind === 'Secret');
    // The keys of the first administrator and of the installation are not business of Redis.
    expect(made.map(({ metadata }) => metadata.labels?.['app.kubernetes.io/component'])).toEqual([
      'gateway',
      'installation-key',
    ]);
    const [gateway] = podsOf(objects);
    expect(gateway?.spec.volumes).toContainEqual({
      name: 'redis-url',
      secret: { secretName: 'redis', defaultMode: 0o444, items: [{ key: 'REDIS_URL', path: 'redis-url' }] },
    });
  });

  it('is trusted by the authority in its Secret, where one is named', () => {
    const objects = render('shared-namespace', { 'redis.external.caKey': 'ca.crt' });
    const [gateway] = podsOf(objects);
    const secret = { items: [{ path: 'redis-url' }, { key: 'ca.crt', path: 'redis-ca.crt' }] };
    expect(gateway?.spec.volumes?.find(({ name }) => name === 'redis-url')).toMatchObject({ secret });
    const file = '/run/secrets/phenix-fleet/redis-ca.crt';
    expect(find(objects, 'ConfigMap', '-config').data).toMatchObject({ REDIS_CA_FILE: file });
  });
});
