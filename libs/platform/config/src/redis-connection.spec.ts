import { redisConnection, redisUrlPattern } from './redis-connection';

describe('redisConnection', () => {
  const addressOf = (url: string): object => {
    const { retryStrategy, reconnectOnError, ...address } = redisConnection({ url });
    expect(retryStrategy(1)).toBeGreaterThan(0);
    expect(reconnectOnError(new Error('ERR'))).toBe(false);
    return address;
  };

  it.each([
    ['redis://127.0.0.1', { host: '127.0.0.1', port: 6379, db: 0 }],
    ['redis://[::1]:7000/3', { host: '::1', port: 7000, db: 3 }],
    [
      'rediss://fleet:p%40ss%2F@redis.example.org:6380',
      { username: 'fleet', password: 'p@ss/', tls: { rejectUnauthorized: true } },
    ],
    ['redis://:a@b:c@host', { host: 'host', password: 'a@b:c' }],
    ['redis://:%E2%82%AC%C3%A4%F0%9F%94%91@host:65535', { port: 65_535, password: '€ä🔑' }],
  ])('reads host, port and password from %s', (url, expected) => {
    expect(url).toMatch(redisUrlPattern);
    expect(addressOf(url)).toMatchObject(expected);
  });

  it('reads a primary behind Sentinels', () => {
    const url =
      'redis+sentinel://fleet:secret@s1:26379,s2,[::2]:5000/mymaster/2?sentinel_username=w&sentinel_password=x%26y';
    expect(url).toMatch(redisUrlPattern);
    expect(addressOf(url)).toEqual({
      sentinels: [
        { host: 's1', port: 26_379 },
        { host: 's2', port: 26_379 },
        { host: '::2', port: 5000 },
      ],
      name: 'mymaster',
      username: 'fleet',
      password: 'secret',
      db: 2,
      sentinelUsername: 'w',
      sentinelPassword: 'x&y',
    });
  });

  it('uses TLS to Sentinels and primary if so configured', () => {
    expect(addressOf('rediss+sentinel://s1/main')).toEqual({
      sentinels: [{ host: 's1', port: 26_379 }],
      name: 'main',
      db: 0,
      tls: { rejectUnauthorized: true },
      sentinelTLS: { rejectUnauthorized: true },
      enableTLSForSentinelMode: true,
    });
  });

  it('rejects authorities without TLS, and a missing file', () => {
    const open = (): unknown => redisConnection({ url: 'redis://host', caFile: __filename });
    expect(open).toThrow(/REDIS_CA_FILE: is set, but REDIS_URL does not begin with rediss/);
    const empty = (): unknown => redisConnection({ url: 'rediss://host', caFile: '/dev/null' });
    expect(empty).toThrow(/REDIS_CA_FILE: "\/dev\/null" contains no certificate/);
  });

  it.each([
    'redis://',
    'http://host',
    'redis://host/db',
    'redis://host?family=6',
    'redis://one,two',
    'redis://user:100%@host',
    'redis://host:0',
    'redis://host:65536',
    'redis+sentinel://s1:99999/main',
    'redis+sentinel://s1:26379',
    'redis+sentinel://s1/main?password=x',
  ])('rejects %s', (url) => {
    expect(url).not.toMatch(redisUrlPattern);
  });

  it('reconnects when its server has become a replica', () => {
    const { reconnectOnError } = redisConnection({ url: 'redis://host' });
    expect(reconnectOnError(new Error("READONLY You can't write against a read only replica."))).toBe(2);
    const inScript =
      "ERR Error running script (call to f_1): @user_script:4: -READONLY You can't write against a replica";
    expect(reconnectOnError(new Error(inScript))).toBe(2);
  });
});
