import { Queues } from '@fleet/contracts';
import { freePort } from '@fleet/testing';
import { startIdleProcess, type TestProcess } from './idle-process';
import type { IdleWork } from './idle-stages';
import { GatewayGround, preloaded } from './gateway-ground';
import { eventually, queues, startLoop, trailOf, type Loop } from './loop-harness';

/** A session's deadline is far away: only the outbox can wake it. */
const work: IdleWork = { cycles: 2, maxWorkMs: 0, stillRunning: 0, dueInMs: 600_000 };
/** What is asked for, in milliseconds. */
const withinMs = 60_000;

describe('a gateway that is killed between the record and the queue', () => {
  let loop: Loop;
  let ground: GatewayGround;
  const started: TestProcess[] = [];
  const start = (process: TestProcess): TestProcess => {
    started.push(process);
    return process;
  };
  beforeEach(async () => {
    loop = await startLoop();
    ground = new GatewayGround({ url: loop.server.url, prefix: 'loop' });
  });
  afterEach(async () => {
    for (const { child } of started) child.kill('SIGKILL');
    await Promise.all(started.map(({ ended }) => ended));
    await loop.end();
    ground.dispose();
  });

  /** How often a job was put into a queue, as the queue itself tells. */
  const added = async (queue: string, jobId: string): Promise<number> => {
    const entries = await loop.redis.xrange(`loop:bq:${queue}:events`, '-', '+');
    return entries.filter(([, fields]) => fields.includes('added') && fields.includes(jobId)).length;
  };

  it('has lost nothing: the session is woken by a sweeper, once, and a repeated request finds it', async () => {
    const port = await freePort();
    const dying = start(ground.gateway(port, preloaded('stand-still.mjs', { at: 'queue' })));
    await dying.ready;
    const answer = ground.ask(port, 'once');
    await eventually(
      () => Promise.resolve(dying.lines),
      (lines) => lines.includes('stands still at queue'),
    );
    dying.child.kill('SIGKILL');
    await dying.ended;
    const { sessions } = await loop.store.index.list({}, 10);
    expect(sessions).toMatchObject([{ status: 'running', stage: 'deciding', version: 1 }]);
    const [{ id } = { id: '' }] = sessions;
    await expect(loop.redis.keys('loop:bq:decisions:*')).resolves.not.toContain(`loop:bq:decisions:${id}-v1-w0`);

    const killedAt = Date.now();
    // Sweepers with the times of an installation.
    for (const queue of queues)
      start(startIdleProcess(queue, work, { REDIS_URL: loop.server.url, REDIS_KEY_PREFIX: 'loop' }));
    await eventually(
      () => loop.store.records.loadHead(id),
      (head) => head?.status === 'completed',
    );
    expect(Date.now() - killedAt).toBeLessThan(withinMs);
    await expect(loop.store.events.transitions(id)).resolves.toEqual(trailOf(work.cycles));
    await expect(added(Queues.decisions, `${id}-v1-w0`)).resolves.toBe(1);

    const next = start(ground.gateway(port));
    await next.ready;
    await expect(ground.ask(port, 'once')).resolves.toEqual({ id, replayed: true });
    await expect(answer).resolves.toBeUndefined();
  });
});
