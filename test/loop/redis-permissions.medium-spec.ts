import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Queues } from '@fleet/contracts/queues';
import { RedisProbe } from '@fleet/redis';
import { GatewayGround } from './gateway-ground';
import { startIdleProcess } from './idle-process';
import type { IdleWork } from './idle-stages';
import { allEnded, eventually, queues, startLoop, submit, trailOf, type Loop } from './loop-harness';

const work: IdleWork = { cycles: 1, maxWorkMs: 0, stillRunning: 0, dueInMs: 1_000 };
const docs = readFileSync(join(__dirname, '../../docs/configuration.md'), 'utf8');
/** The line to paste, for the key prefix of these tests. */
const documented = (/^ACL SETUSER fleet (.*)$/m.exec(docs)?.[1] ?? 'none').replaceAll('fleet:*', 'loop:*');

describe('services with their own Redis user', () => {
  let loop: Loop;
  beforeEach(async () => {
    loop = await startLoop();
  });
  afterEach(async () => {
    await loop.end();
  });

  const urlOf = async (user: string, rules: string): Promise<string> => {
    await loop.redis.call('ACL', 'SETUSER', user, 'reset', ...rules.split(' '));
    return loop.server.url.replace('//', `//${user}:PASSWORD@`);
  };

  it.each([
    ['fleet', 'on >PASSWORD ~* &* +@all -@dangerous -@admin', /'info' command\./],
    ['narrow', 'on >PASSWORD ~other:* &* +@all', /key.* \(SET loop:probe .*The user needs: ~loop:\* \+@all /],
    ['noeval', 'on >PASSWORD ~* &* +@all -eval -evalsha', /'eval' command; .*'evalsha' command\./],
  ])('do not start as %s (%s): exit code 78 and one sentence', async (user, rules, missing) => {
    const url = await urlOf(user, rules);
    const { ended, lines } = startIdleProcess(Queues.decisions, work, { ...loop.env, REDIS_URL: url });
    await expect(ended).resolves.toBe(78);
    const reports = await eventually(
      () => Promise.resolve(lines.filter((line) => line.startsWith('idle-decisions: '))),
      (all) => all.length > 0,
    );
    expect(reports).toEqual([expect.stringMatching(missing)]);
    expect(reports[0]).toContain(`(user "${user}")`);
    expect(lines.join('\n')).not.toMatch(/PASSWORD| at async /);
  });

  it('do not start as a gateway either', async () => {
    const url = await urlOf('noeval', 'on >PASSWORD ~* &* +@all -eval -evalsha');
    const ground = new GatewayGround({ ...loop.at, REDIS_URL: url });
    const { ended, lines } = ground.gateway(0);
    await expect(ended).resolves.toBe(78);
    expect(lines.join('\n')).toMatch(/^gateway: .*'eval' command/m);
    ground.dispose();
  });

  it.each([
    ['info', 'on >PASSWORD ~* &* +@all -@dangerous -@admin +info'],
    ['whole', 'on >PASSWORD ~* &* +@all'],
    ['documented', documented],
  ])('bring sessions to their end as %s (%s), and are refused nothing', async (user, rules) => {
    const url = await urlOf(user, rules);
    const workers = await Promise.all(queues.map((queue) => loop.startHere(queue, work, { REDIS_URL: url })));
    const ids = await submit(loop.store, 3);
    await allEnded(loop.store, ids.length);
    for (const id of ids) await expect(loop.store.events.transitions(id)).resolves.toEqual(trailOf(1));
    for (const worker of workers)
      await expect(worker.get(RedisProbe, { strict: false }).check()).resolves.toMatchObject({ healthy: true });
    await expect(loop.redis.call('ACL', 'LOG')).resolves.toEqual([]);
  });
});
