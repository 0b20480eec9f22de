import { Queues } from '@fleet/contracts/queues';
import { startIdleProcess } from './idle-process';
import type { IdleWork } from './idle-stages';
import { eventually, startLoop, submit, type Loop } from './loop-harness';

const work: IdleWork = { cycles: 1, maxWorkMs: 0, stillRunning: 0, dueInMs: 1_000 };

describe('a worker process', () => {
  let loop: Loop;
  beforeEach(async () => {
    loop = await startLoop();
  });
  afterEach(async () => {
    await loop.end();
  });

  /** The end of a worker that says so, and what it said. */
  const ending = async (env: Readonly<Record<string, string>>, said: RegExp) => {
    const { ended, lines } = startIdleProcess(Queues.decisions, work, env);
    const code = await ended;
    const text = await eventually(
      () => Promise.resolve(lines.join('\n')),
      (all) => said.test(all),
    );
    return { code, text };
  };

  it('does not start with a bad environment: exit code 78, every mistake named', async () => {
    const env = { REDIS_URL: 'nonsense', FLEET_LOG_LEVEL: 'loud', FLEET_SWEEP_INTERVAL: '5' };
    const { code, text } = await ending(env, /REDIS_URL: .*FLEET_LOG_LEVEL: .*FLEET_SWEEP_INTERVAL: is not known/s);
    expect(code).toBe(78);
    expect(text).not.toContain('nonsense');
  });

  /** The server gets one, the URL has another. */
  const anotherPassword = async (url: string): Promise<string> => {
    await loop.redis.config('SET', 'requirepass', 'another');
    return url.replace('//', '//:hunter2@');
  };

  const forgetful = async (url: string): Promise<string> => {
    await loop.redis.config('SET', 'maxmemory-policy', 'volatile-lru');
    return url;
  };

  it.each<[string, (url: string) => string | Promise<string>, number, RegExp]>([
    [
      'settings that may lose sessions',
      forgetful,
      78,
      /^idle-decisions: .*maxmemory-policy is volatile-lru.*CONFIG SET maxmemory-policy noeviction/m,
    ],
    [
      'a database that it does not have',
      (url) => `${url}/99`,
      78,
      /^idle-decisions: .*does not accept REDIS_URL: ERR DB index/m,
    ],
    ['another password', anotherPassword, 78, /^idle-decisions: .*does not accept REDIS_URL: WRONGPASS/m],
    [
      'another port',
      () => 'redis://:hunter2@127.0.0.1:1',
      1,
      /^idle-decisions: .*Redis of REDIS_URL cannot be reached: connect ECONN/m,
    ],
  ])('does not start on a Redis with %s, with one sentence and no secret', async (_, urlOf, code, said) => {
    const ended = await ending({ ...loop.at, REDIS_URL: await urlOf(loop.server.url) }, said);
    expect(ended.code).toBe(code);
    expect(ended.text).not.toMatch(/hunter2|command:/);
  });

  it.each([
    [
      'another port',
      'postgres://fleet:hunter2@127.0.0.1:1/fleet',
      1,
      /PostgreSQL of DATABASE_URL cannot be reached: .*ECONN/,
    ],
    ['a form of its own', 'mysql://fleet:hunter2@127.0.0.1/fleet', 78, /DATABASE_URL: /],
  ])('does not start on a database with %s, and shows no secret', async (_, url, code, said) => {
    const ended = await ending({ ...loop.at, DATABASE_URL: url }, said);
    expect(ended.code).toBe(code);
    expect(ended.text).not.toMatch(/hunter2/);
  });

  it('finishes a running step and its wake-up on SIGTERM', async () => {
    const worker = loop.start(Queues.decisions, { ...work, minWorkMs: 1_500, maxWorkMs: 2_000 });
    await worker.ready;
    const [id = ''] = await submit(loop.store, 1);
    await eventually(
      () => loop.redis.llen('loop:bq:decisions:active'),
      (active) => active === 1,
    );
    worker.child.kill('SIGTERM');
    await expect(worker.ended).resolves.toBe('SIGTERM');
    await expect(loop.store.records.loadHead(id)).resolves.toMatchObject({ stage: 'executing', version: 2 });
    await expect(loop.redis.exists(`loop:bq:executions:${id}-v2-w0`)).resolves.toBe(1);
    expect(worker.lines.filter((line) => /"level":"(warn|error)"/.test(line))).toEqual([]);
  });

  it('exits idle on SIGTERM after Redis has stopped', async () => {
    const worker = loop.start(Queues.analyses, work);
    await worker.ready;
    loop.redis.disconnect();
    await loop.server.stop();
    worker.child.kill('SIGTERM');
    await expect(worker.ended).resolves.toBe('SIGTERM');
  });
});
