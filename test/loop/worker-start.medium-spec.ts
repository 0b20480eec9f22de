import { Queues } from '@fleet/contracts';
import { startRedis } from '@fleet/testing';
import { Redis } from 'ioredis';
import { startIdleProcess } from './idle-process';
import { eventually, startLoop } from './loop-harness';

const work = { cycles: 1, maxWorkMs: 0, stillRunning: 0, dueInMs: 1_000 };

/** The server gets one, the URL has another. */
const anotherPassword = async (url: string): Promise<string> => {
  const redis = new Redis(url);
  await redis.config('SET', 'requirepass', 'another');
  redis.disconnect();
  return url.replace('//', '//:hunter2@');
};

describe('a worker process', () => {
  it('does not start with a bad environment: exit code 78, every mistake named', async () => {
    const env = { REDIS_URL: 'nonsense', FLEET_LOG_LEVEL: 'loud', FLEET_SWEEP_INTERVAL: '5' };
    const { ended, lines } = startIdleProcess(Queues.decisions, work, env);
    await expect(ended).resolves.toBe(78);
    await eventually(
      () => Promise.resolve(lines.join('\n')),
      (text) => text.includes('FLEET_SWEEP_INTERVAL'),
    );
    expect(lines.join('\n')).toMatch(/REDIS_URL: .*FLEET_LOG_LEVEL: .*FLEET_SWEEP_INTERVAL: is not known/s);
    expect(lines.join('\n')).not.toContain('nonsense');
  });

  it('does not start on a Redis that may lose sessions, and says how to mend it', async () => {
    const server = await startRedis(['--maxmemory-policy', 'volatile-lru']);
    const { ended, lines } = startIdleProcess(Queues.decisions, work, { REDIS_URL: server.url });
    await expect(ended).resolves.toBe(78);
    await eventually(
      () => Promise.resolve(lines.join('\n')),
      (text) => text.includes('noeviction'),
    );
    expect(lines.join('\n')).toMatch(/maxmemory-policy is volatile-lru.*CONFIG SET maxmemory-policy noeviction/);
    await server.stop();
  });

  it.each<[string, (url: string) => string | Promise<string>, number, RegExp]>([
    ['a database that it does not have', (url) => `${url}/5`, 78, /does not accept REDIS_URL: ERR DB index/],
    ['another password', anotherPassword, 78, /does not accept REDIS_URL: WRONGPASS/],
    ['another port', () => 'redis://:hunter2@127.0.0.1:1', 1, /Redis of REDIS_URL cannot be reached: connect ECONN/],
  ])('does not start on a Redis with %s, says so in a sentence, and shows no secret', async (_, urlOf, code, said) => {
    const server = await startRedis(['--databases', '2']);
    const { ended, lines } = startIdleProcess(Queues.decisions, work, { REDIS_URL: await urlOf(server.url) });
    await expect(ended).resolves.toBe(code);
    await eventually(
      () => Promise.resolve(lines.join('\n')),
      (text) => new RegExp(`^idle-decisions: .*${said.source}`, 'm').test(text),
    );
    expect(lines.join('\n')).not.toMatch(/hunter2|command:/);
    await server.stop();
  });

  it('ends soon when it is told to and has nothing to do', async () => {
    const loop = await startLoop();
    const worker = loop.start(Queues.analyses, work);
    await worker.ready;
    const told = Date.now();
    worker.child.kill('SIGTERM');
    await expect(worker.ended).resolves.toBe('SIGTERM');
    expect(Date.now() - told).toBeLessThan(60_000);
    await loop.end();
  });

  it('ends soon when it is told to after Redis has gone, and has nothing to do', async () => {
    const loop = await startLoop();
    const workers = [Queues.analyses, Queues.decisions].map((queue) => loop.start(queue, work));
    await Promise.all(workers.map(({ ready }) => ready));
    loop.redis.disconnect();
    await loop.server.stop();
    const told = Date.now();
    for (const { child } of workers) child.kill('SIGTERM');
    await expect(Promise.all(workers.map(({ ended }) => ended))).resolves.toEqual(['SIGTERM', 'SIGTERM']);
    expect(Date.now() - told).toBeLessThan(60_000);
    await loop.end();
  });
});
