import { startRedis, type RedisServer } from '@fleet/testing';
import { Redis } from 'ioredis';
import { assertPermittedRedis, permissionProblem } from './permitted-redis';
import { RedisProbe } from './redis.probe';

const documented = '~fleet:* +@all -@admin -@dangerous +info';

describe('permissionProblem', () => {
  let server: RedisServer;
  let admin: Redis;
  const clients: Redis[] = [];
  beforeAll(async () => {
    server = await startRedis();
    admin = new Redis(server.url);
  });
  beforeEach(async () => {
    await admin.flushall();
  });
  afterAll(async () => {
    for (const client of [admin, ...clients]) client.disconnect();
    await server.stop();
  });

  const grant = (rules: string): Promise<unknown> =>
    admin.call('ACL', 'SETUSER', 'fleet', 'reset', 'on', '>fleetpw', ...rules.split(' '));

  const clientWith = async (rules: string): Promise<Redis> => {
    await grant(rules);
    const client = new Redis({ port: server.port, username: 'fleet', password: 'fleetpw' });
    clients.push(client);
    return client;
  };

  it.each([documented, '~* &* +@all', '~* allchannels +@all -@dangerous -@admin +info'])(
    'is undefined for %s, and nothing is left behind',
    async (rules) => {
      const client = await clientWith(rules);
      await expect(permissionProblem(client, 'fleet')).resolves.toBeUndefined();
      await expect(admin.dbsize()).resolves.toBe(0);
    },
  );

  it.each<[string, RegExp]>([
    ['~* &* +@all -@dangerous -@admin', /\(user "fleet"\): NOPERM [^;]*'info' command\. /],
    ['~* &* +@all -eval -evalsha', /'eval' command; NOPERM [^;]*'evalsha' command\. /],
    ['~* &* +@all -script', /'script\|exists' command; NOPERM [^;]*'script\|load' command\. /],
    ['~other:* &* +@all', /a key \(SET fleet:probe 1 PX 1000\)\. /],
    ['~fleet:login:* ~fleet:bq:* &* +@all', /a key \(SET fleet:probe /],
    ['~fleet:probe &* +@all', /a key \((?:SET|EVAL return 2) .*fleet:bq:probe/],
    ['%R~fleet:* &* +@all', /a key \(SET fleet:probe /],
    ['~* &* +@all -bzpopmin', /'bzpopmin' command\. /],
    ['~* &* +@all -client', /'client\|setname' command\. /],
    ['~* &* +@all -multi', /'multi' command\. /],
    ['~* &* +@all -exec', /'exec' command\. /],
    ['~* &* +@all -discard', /'discard' command\. /],
    ['~* &* +@read +@connection', /'set' command; .*; and \d+ more\. /],
  ])("names the missing permission of %s, in the server's words", async (rules, missing) => {
    const client = await clientWith(rules);
    const problem = await permissionProblem(client, 'fleet');
    expect(problem).toMatch(missing);
    expect(problem).toContain(`The user needs: ${documented} (docs/configuration.md, "Permissions in Redis").`);
    // If MULTI is forbidden the commands are executed, on a key that expires.
    await expect(admin.dbsize()).resolves.toBe(0);
    // Its own connection is unchanged.
    await expect(client.ping()).resolves.toBe('PONG');
  });

  it('stops a starting process as a configuration error, unlike a lost connection', async () => {
    const client = await clientWith('~* &* +@all -evalsha');
    await expect(assertPermittedRedis(client, 'fleet')).rejects.toMatchObject({
      code: 'store.misconfigured',
      kind: 'caller',
    });
    const gone = new Redis({ port: 1, lazyConnect: true, disconnectTimeout: 1 });
    gone.on('error', () => undefined);
    clients.push(gone);
    await expect(assertPermittedRedis(gone, 'fleet')).rejects.toMatchObject({ code: 'store.unreachable' });
  });

  it('makes a service unready as soon as a permission is missing, and ready again when it is granted', async () => {
    const probe = new RedisProbe(await clientWith(documented), 'fleet', 0);
    await expect(probe.check()).resolves.toMatchObject({ healthy: true });
    await grant(`${documented} -evalsha`);
    await expect(probe.check()).resolves.toMatchObject({
      healthy: false,
      detail: { permitted: false, reason: expect.stringContaining("'evalsha' command") as unknown },
    });
    await grant(documented);
    await expect(probe.check()).resolves.toMatchObject({ healthy: true });
  });

  it('is undefined for a full Redis, which is a transient state', async () => {
    const client = await clientWith(documented);
    await admin.config('SET', 'maxmemory', '1');
    await expect(permissionProblem(client, 'fleet')).resolves.toBeUndefined();
    await admin.config('SET', 'maxmemory', '0');
  });
});

describe('permissionProblem of other servers', () => {
  const problemOf = async (
    settings: readonly string[],
    prefix: string,
    before?: (redis: Redis) => Promise<unknown>,
  ) => {
    const server = await startRedis(settings);
    const redis = new Redis(server.url);
    try {
      await before?.(redis);
      return await permissionProblem(redis, prefix);
    } finally {
      redis.disconnect();
      await server.stop();
    }
  };

  it('names a command that the server does not know', async () => {
    await expect(problemOf(['--rename-command', 'ZINTERCARD', ''], 'fleet')).resolves.toMatch(
      /\(user "default"\): ERR unknown command '?`?zintercard'?`?\..*7\.0 or later/i,
    );
  });

  it('requires a prefix in braces if keys are spread over slots', async () => {
    const owner = (redis: Redis): Promise<unknown> => redis.call('CLUSTER', 'ADDSLOTSRANGE', 0, 16_383);
    const settings = ['--cluster-enabled', 'yes'];
    await expect(problemOf(settings, 'fleet', owner)).resolves.toMatch(
      /CROSSSLOT .*\. Set REDIS_KEY_PREFIX to \{fleet\}, with the braces\.$/,
    );
    await expect(problemOf(settings, '{fleet}', owner)).resolves.toBeUndefined();
  });
});
