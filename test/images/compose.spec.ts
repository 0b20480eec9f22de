import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { useFolder } from '@fleet/testing';
import { load, YAML11_SCHEMA } from 'js-yaml';

interface Mount {
  readonly type: string;
  readonly source: string;
  readonly target: string;
  readonly read_only?: boolean;
  readonly bind: { readonly create_host_path: boolean };
}

interface ComposeService {
  readonly image: string;
  readonly user?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly (string | Mount)[];
  readonly ports?: readonly string[];
  readonly healthcheck?: object;
}

const folder = path.resolve(__dirname, '..', '..', 'docker');
const textOf = (file: string): string => readFileSync(path.join(folder, file), 'utf8');
const servicesOf = (file: string): Readonly<Record<string, ComposeService>> =>
  (load(textOf(file), { schema: YAML11_SCHEMA }) as { services: Readonly<Record<string, ComposeService>> }).services;
const services = servicesOf('compose.yaml');
/** What prepares the volumes, then ends. */
const passing = ['folders', 'installation-key'];
const lasting = Object.entries(services).filter(([name]) => !passing.includes(name));

describe('the compose file of a workstation', () => {
  it.each(Object.entries(services))('%s has a read-only root and cannot gain privileges', (_, service) => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
  });

  it.each(lasting)('%s does not run as root and has a health check', (_, service) => {
    expect(service.user).toBe('${FLEET_USER:-10001:10001}');
    expect(service.healthcheck).toBeDefined();
  });

  it('mounts host folders read-only, and creates none', () => {
    const all = [...Object.values(services), ...Object.values(servicesOf('compose.phenix.yaml'))];
    const volumes = all.flatMap(({ volumes: mounted = [] }) => mounted);
    const folders = volumes.filter((volume) => typeof volume !== 'string');
    expect(folders.map(({ target }) => target)).toEqual(['/data', '/data', '/data', '/data', '${FLEET_PHENIX}']);
    for (const mount of folders)
      expect(mount).toMatchObject({ type: 'bind', read_only: true, bind: { create_host_path: false } });
    const named = volumes.filter((volume) => typeof volume === 'string');
    expect(new Set(named.map((volume) => volume.split(':')[0]))).toEqual(
      new Set(['work', 'records', 'key', 'secrets']),
    );
  });

  it('lets only the gateway write to the upload folder', () => {
    const uploads = servicesOf('compose.uploads.yaml');
    const mounts = Object.entries(uploads).map(([name, { volumes = [], environment }]) => ({
      name,
      readOnly: (volumes[0] as Mount).read_only ?? false,
      makesIt: (volumes[0] as Mount).bind.create_host_path,
      roots: environment?.['FLEET_DATA_ROOTS'],
      takes: environment?.['FLEET_UPLOAD_ROOT'],
    }));
    const all = { makesIt: false, roots: '${FLEET_DATA_ROOTS:-/data}:/uploads/{proposal}' };
    expect(mounts).toEqual([
      { ...all, name: 'gateway', readOnly: false, takes: '/uploads' },
      ...['decision-worker', 'executor-worker', 'log-analysis-worker'].map((name) => ({
        ...all,
        name,
        readOnly: true,
        takes: undefined,
      })),
    ]);
  });

  it('mounts the installation key read-only, for the services only', () => {
    const mounts = Object.entries(services).flatMap(([name, { volumes: mounted = [] }]) =>
      mounted
        .filter((volume) => typeof volume === 'string' && volume.startsWith('key:'))
        .map((volume) => [name, volume]),
    );
    const read = 'key:/run/secrets/installation:ro';
    expect(mounts).toEqual([
      ['installation-key', 'key:/keys'],
      ...['gateway', 'decision-worker', 'executor-worker', 'log-analysis-worker'].map((name) => [name, read]),
    ]);
    expect(services['gateway']?.environment).toMatchObject({
      FLEET_INSTALLATION_KEY_FILE: '/run/secrets/installation/key',
    });
  });

  it('opens one port, on this machine only', () => {
    const ports = Object.values(services).flatMap(({ ports: opened = [] }) => opened);
    expect(ports).toEqual(['127.0.0.1:${FLEET_PORT:-8080}:8080']);
  });

  describe('before anything else starts', () => {
    const names = ['redis.conf', 'redis-url', 'postgres-password', 'database-url'];
    const own = `${String(process.getuid?.() ?? 0)}:${String(process.getgid?.() ?? 0)}`;
    const secrets = useFolder();
    const run = (): readonly string[] => {
      execFileSync(process.execPath, [path.join(folder, 'service', 'first-start.js'), own, secrets]);
      return names.map((name) => readFileSync(path.join(secrets, name), 'utf8'));
    };

    it('creates passwords and URLs of PostgreSQL and Redis once', () => {
      const made = run();
      const [settings, redisUrl = '', password = '', databaseUrl] = made;
      const redisPassword = String(/^redis:\/\/:([0-9a-f]{64})@redis:6379\n$/.exec(redisUrl)?.[1]);
      expect(settings).toBe(`requirepass ${redisPassword}\n`);
      expect(password).toMatch(/^[0-9a-f]{64}\n$/);
      expect(databaseUrl).toBe(`postgres://fleet:${password.trim()}@postgres:5432/fleet\n`);
      expect(password).not.toContain(redisPassword);
      expect(run()).toEqual(made);
      for (const name of names) expect(statSync(path.join(secrets, name)).mode & 0o777).toBe(0o400);
    });

    it('recreates both password files if a first start wrote only one', () => {
      const [settings, redisUrl] = run();
      rmSync(path.join(secrets, 'database-url'));
      const [settingsNow, redisUrlNow, password = '', databaseUrl] = run();
      expect([settingsNow, redisUrlNow]).toEqual([settings, redisUrl]);
      expect(databaseUrl).toBe(`postgres://fleet:${password.trim()}@postgres:5432/fleet\n`);
    });
  });

  it('shows no password in arguments or environments, and no service can write its folder', () => {
    const all = JSON.stringify(Object.values(services).map(({ command, environment }) => [command, environment]));
    expect(all).not.toMatch(/REDIS_URL"|requirepass|redis:\/\/|DATABASE_URL"|POSTGRES_PASSWORD"|postgres:\/\//);
    const mounts = lasting.flatMap(([, { volumes = [] }]) =>
      volumes.filter((volume) => typeof volume === 'string' && volume.startsWith('secrets:')),
    );
    expect(new Set(mounts)).toEqual(new Set(['secrets:/run/secrets/phenix-fleet:ro']));
    expect(mounts).toHaveLength(lasting.length);
    for (const name of ['redis', 'postgres']) expect(services[name]?.ports).toBeUndefined();
  });

  it('stores PostgreSQL in a volume, and nothing of Redis', () => {
    expect(services['postgres']?.environment).toMatchObject({ PGDATA: '/records/postgres' });
    expect(services['postgres']?.volumes).toContain('records:/records');
    expect(services['redis']?.volumes).toEqual(['secrets:/run/secrets/phenix-fleet:ro']);
    expect(services['redis']?.command?.join(' ')).toContain('--save  --appendonly no --maxmemory-policy noeviction');
  });

  it("names this version's images", () => {
    const { version } = JSON.parse(readFileSync(path.join(folder, '..', 'package.json'), 'utf8')) as {
      version: string;
    };
    const tags = [...textOf('compose.yaml').matchAll(/localhost\/phenix-fleet\/[\w-]+:([\w.-]+)\}/g)].map(
      ([, tag]) => tag,
    );
    expect(tags).toEqual(tags.map(() => version));
    expect(tags.length).toBeGreaterThan(2);
  });
});
