/** @needs buildah @needs root @needs linux */
import { chmodSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, startRedis, type RedisServer, useFolder } from '@fleet/testing';
import { buildImages, type BuiltImage } from './built-images';
import { UnpackedImage, type RunningContainer } from './container';
import { startLoopbackPostgres } from './loopback-postgres';

const services = ['gateway', 'decision-worker', 'executor-worker', 'log-analysis-worker'] as const;

describe('the service image', () => {
  let built: BuiltImage;
  let image: UnpackedImage;
  let redis: RedisServer;
  let postgres: Awaited<ReturnType<typeof startLoopbackPostgres>>;
  const folder = useFolder('file');

  beforeAll(async () => {
    built = (await buildImages('service'))['service']!;
    image = await UnpackedImage.of(built.reference);
    redis = await startRedis();
    chmodSync(folder, 0o777);
    postgres = await startLoopbackPostgres();
  });

  afterAll(async () => {
    await image.dispose();
    await redis.stop();
    await postgres.stop();
  });

  /** The port is where it answers for its health: the gateway's own, any other's for that alone. */
  const start = (service: string, port: number): RunningContainer =>
    image.start({
      args: [service],
      folders: [folder],
      env: {
        REDIS_URL: redis.url,
        DATABASE_URL: postgres.url,
        FLEET_WORK_ROOT: folder,
        FLEET_DATA_ROOTS: folder,
        FLEET_GATEWAY_PORT: String(port),
        FLEET_HEALTH_PORT: service === 'gateway' ? '0' : String(port),
      },
    });

  const live = async (service: string, port: number, container: RunningContainer): Promise<number> => {
    const until = Date.now() + 120_000;
    for (;;) {
      const answer = await fetch(`http://127.0.0.1:${String(port)}/health/live`).catch(() => undefined);
      if (answer !== undefined) return answer.status;
      if (Date.now() > until) throw new Error(`${service} does not answer:\n${container.output}`);
      await sleep(100);
    }
  };

  it('states its name, version and commit', () => {
    expect(image.config.Labels).toMatchObject({
      'org.opencontainers.image.title': 'phenix-fleet service',
      'org.opencontainers.image.version': built.tag,
      'org.opencontainers.image.revision': expect.stringMatching(/^([0-9a-f]{40}(-changed)?|unknown)$/) as string,
      'io.phenix-fleet.content-key': built.key,
    });
  });

  it('runs as a non-root user that cannot write outside /tmp', async () => {
    const { output } = await image.shell('id -u; touch /app/x /etc/x; touch /tmp/x && echo written');
    expect(image.config.User).toBe('10001:10001');
    expect(output).toMatch(/^10001$/m);
    expect(output.match(/Read-only file system/g)).toHaveLength(2);
    expect(output).toMatch(/^written$/m);
  });

  it('has no build or install tools', async () => {
    const tools = 'npm npx yarn tsc gcc cc make pip git curl wget';
    const { output } = await image.shell(`for tool in ${tools}; do command -v $tool; done; echo none`);
    expect(output.trim()).toBe('none');
  });

  it('contains nothing of the build machine', async () => {
    const places = '/root/.npmrc /root/.npm /run/secrets /etc/pip.conf /etc/apt/apt.conf.d/00-build-host /src';
    const { output } = await image.shell(`ls -d ${places} 2>/dev/null; echo nothing`);
    expect(output.trim()).toBe('nothing');
  });

  it.each(services)('%s responds, and exits on SIGTERM as process 1', async (service) => {
    const port = await freePort();
    const container = start(service, port);
    expect(await live(service, port, container)).toBe(200);
    await container.signal('SIGTERM');
    const { code, output } = await container.ended;
    expect({ code, output }).toMatchObject({ code: 0 });
  });

  it('runs phx, by its name and as an argument', async () => {
    const argument = await image.run({ args: ['phx', 'knowledge', 'validate'] });
    const name = await image.shell('phx knowledge validate', { uid: 43_210 });
    expect(argument).toMatchObject({ code: 0 });
    expect(name).toMatchObject({ code: 0, output: argument.output });
  });

  it('lists the processes if the requested one is unknown', async () => {
    const { code, output } = await image.run({ args: ['gatewy'] });
    expect(code).toBe(64);
    expect(output).toContain('There is no process "gatewy".');
    expect(output).toContain('log-analysis-worker');
  });
});
