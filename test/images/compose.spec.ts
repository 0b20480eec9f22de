import { readFileSync } from 'node:fs';
import path from 'node:path';
import { load, YAML11_SCHEMA } from 'js-yaml';

interface ComposeService {
  readonly image: string;
  readonly user?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly healthcheck?: object;
}

const folder = path.resolve(__dirname, '..', '..', 'docker');
const text = readFileSync(path.join(folder, 'compose.yaml'), 'utf8');
const { services } = load(text, { schema: YAML11_SCHEMA }) as { services: Readonly<Record<string, ComposeService>> };
const lasting = Object.entries(services).filter(([name]) => name !== 'folders');

describe('the compose file of a workstation', () => {
  it.each(Object.entries(services))('%s has a read-only root and no privileges to gain', (_, service) => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
  });

  it.each(lasting)('%s is not root and says how it is', (_, service) => {
    expect(service.user).toBe('${FLEET_USER:-10001:10001}');
    expect(service.healthcheck).toBeDefined();
  });

  it('mounts raw data read-only wherever it is mounted', () => {
    const mounts = Object.values(services).flatMap(({ volumes = [] }) =>
      volumes.filter((volume) => /:\/data(:|$)/.test(volume)),
    );
    const raw = mounts.filter((volume) => !volume.startsWith('records:'));
    expect(raw).toHaveLength(4);
    expect(raw.every((volume) => volume.endsWith(':/data:ro'))).toBe(true);
  });

  it('opens one port, to this machine alone', () => {
    const ports = Object.values(services).flatMap(({ ports: opened = [] }) => opened);
    expect(ports).toEqual(['127.0.0.1:${FLEET_PORT:-8080}:8080']);
  });

  it('starts Redis as the services demand it: durable and never evicting', () => {
    const words = (services['redis']?.command ?? []).join(' ');
    expect(words).toContain('--appendonly yes');
    expect(words).toContain('--maxmemory-policy noeviction');
  });

  it('lets Redis answer the other containers, whichever image it is', () => {
    const { command = [], ports } = services['redis'] ?? {};
    expect(command.join(' ')).toContain('--protected-mode no');
    expect(ports).toBeUndefined();
  });

  it("names this version's images", () => {
    const { version } = JSON.parse(readFileSync(path.join(folder, '..', 'package.json'), 'utf8')) as {
      version: string;
    };
    const tags = [...text.matchAll(/localhost\/phenix-fleet\/[\w-]+:([\w.-]+)\}/g)].map(([, tag]) => tag);
    expect(tags).toEqual(tags.map(() => version));
    expect(tags.length).toBeGreaterThan(2);
  });
});
