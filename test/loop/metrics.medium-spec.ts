import { Queues } from '@fleet/contracts';
import { freePort } from '@fleet/testing';
import { startIdleProcess } from './idle-process';
import { countOf, eventually, startLoop, submit, type Loop } from './loop-harness';

const work = { cycles: 3, maxWorkMs: 5, stillRunning: 0, dueInMs: 1_500 };

describe('the metrics of workers', () => {
  let loop: Loop;
  beforeAll(async () => {
    loop = await startLoop();
  });
  afterAll(() => loop.end());

  const scraped = async (port: number): Promise<string> =>
    (await fetch(`http://127.0.0.1:${String(port)}/metrics`, { headers: { connection: 'close' } })).text();
  const valueOf = (page: string, line: string): number => Number(page.split(`\n${line} `)[1]?.split('\n')[0] ?? 0);

  it('count each step once, and what the sweepers found, and name no session', async () => {
    const workers = [];
    for (const queue of Object.values(Queues)) {
      const port = await freePort();
      const process = startIdleProcess(queue, work, { ...loop.env, FLEET_HEALTH_PORT: String(port) });
      workers.push({ port, process });
    }
    try {
      await Promise.all(workers.map(({ process }) => process.ready));
      const ids = await submit(loop.store, 10);
      await eventually(
        () => countOf(loop.store, 'completed'),
        (done) => done === ids.length,
      );
      const pages = await Promise.all(workers.map(({ port }) => scraped(port)));
      const sum = (line: string): number => pages.reduce((total, page) => total + valueOf(page, line), 0);
      for (const job of ['decide', 'execute', 'analyse'])
        expect([job, sum(`phenix_fleet_steps_total{step="${job}",outcome="advanced"}`)]).toEqual([job, 30]);
      expect(sum('phenix_fleet_step_seconds_count{step="decide"}')).toBeGreaterThanOrEqual(30);
      // Nobody woke them at once: it is the sweepers who sent the first step of each.
      expect(sum('phenix_fleet_sweeper_sessions_total{found="resent"}')).toBeGreaterThanOrEqual(10);
      for (const page of pages) {
        expect(page).toMatch(/^process_resident_memory_bytes \d+/m);
        for (const id of ids) expect(page).not.toContain(id);
      }
    } finally {
      for (const { process } of workers) process.child.kill('SIGTERM');
      await Promise.all(workers.map(({ process }) => process.ended));
    }
  });
});
