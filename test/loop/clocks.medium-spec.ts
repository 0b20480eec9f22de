import { Queues, type QueueName } from '@fleet/contracts';
import { freePort } from '@fleet/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { startIdleProcess } from './idle-process';
import type { IdleWork } from './idle-stages';
import { GatewayGround, preloaded } from './gateway-ground';
import { KeptProcess } from './kept-process';
import { countOf, eventually, startLoop, trailOf, type Loop } from './loop-harness';

const SESSIONS = 30;
const KILLS = 8;
const work: IdleWork = { cycles: 12, maxWorkMs: 60, stillRunning: 0.1, dueInMs: 1_500 };
const FIVE_MINUTES = 300_000;

/** Two workers for each queue, on machines whose clocks are up to ten minutes apart; one machine's is right. */
const machines: readonly (readonly [QueueName, number])[] = [
  [Queues.decisions, FIVE_MINUTES],
  [Queues.decisions, -FIVE_MINUTES],
  [Queues.executions, -FIVE_MINUTES],
  [Queues.executions, 0],
  [Queues.analyses, FIVE_MINUTES],
  [Queues.analyses, -FIVE_MINUTES],
];

describe('the loop on machines whose clocks are minutes apart', () => {
  let loop: Loop;
  let ground: GatewayGround;
  let processes: readonly KeptProcess[] = [];
  beforeEach(async () => {
    loop = await startLoop();
    ground = new GatewayGround({ url: loop.server.url, prefix: 'loop' });
  });
  afterEach(async () => {
    await Promise.all(processes.map((each) => each.stop()));
    await loop.end();
    ground.dispose();
  });

  it('ends every session as on machines that agree, though workers are killed meanwhile', async () => {
    const port = await freePort();
    const gateway = new KeptProcess(() => ground.gateway(port, preloaded('shifted-clock.mjs', { ms: FIVE_MINUTES })));
    const workers = machines.map(
      ([queue, ms]) =>
        new KeptProcess(() =>
          startIdleProcess(queue, work, { ...loop.env, ...preloaded('shifted-clock.mjs', { ms }) }),
        ),
    );
    processes = [gateway, ...workers];
    await Promise.all(processes.map(({ ready }) => ready));
    const before = Date.now();
    const ids = await Promise.all(
      Array.from({ length: SESSIONS }, (_, index) => ground.submit([port], `session-${String(index)}`)),
    );
    for (let kills = 0; kills < KILLS; kills += (await workers[kills % workers.length]?.kill()) === true ? 1 : 0)
      await sleep(200);
    await eventually(
      () => countOf(loop.store, 'completed'),
      (done) => done === SESSIONS,
    );
    for (const id of ids) await expect(loop.store.events.transitions(id)).resolves.toEqual(trailOf(work.cycles));
    // The clocks were shifted indeed: the gateway's stamps lie ahead of this process's.
    const head = await loop.store.records.loadHead(ids[0] ?? '');
    expect(Date.parse(head?.createdAt ?? '')).toBeGreaterThan(before + FIVE_MINUTES - 1);
    // Nobody's deadline was off by minutes: each session was woken again a few times at most.
    expect(Date.now() - before).toBeLessThan(FIVE_MINUTES / 2);
  });
});
