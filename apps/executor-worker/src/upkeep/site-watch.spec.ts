import type { Finding } from '@fleet/contracts/administration';
import { MemorySiteLooks } from '@fleet/redis';
import { eventually, ManualClock } from '@fleet/testing';
import { asExecutors, SiteWatch, type SiteWatchDependencies } from './site-watch';

const good: Finding = { check: 'trial.cpu.start', level: 'ok', seen: 'It started.' };
const going = new AbortController().signal;
const leaseMs = 30;

const aWatch = (looks: MemorySiteLooks, changes: Partial<SiteWatchDependencies> = {}): SiteWatch =>
  new SiteWatch({
    doctor: { look: () => Promise.resolve({ at: '2026-11-25T08:00:00.000Z', by: 'executor-1', findings: [good] }) },
    site: { trial: () => Promise.resolve([good]) },
    looks,
    executor: 'executor-1',
    leaseMs,
    ...changes,
  });

describe('the watch of a site', () => {
  it('stores its findings, and runs no trial without a request', async () => {
    const looks = new MemorySiteLooks();
    let made = 0;
    const watch = aWatch(looks, { site: { trial: () => Promise.resolve([(made += 1)].flatMap(() => [])) } });
    await watch.tryOut(going);
    expect([made, await looks.look()]).toEqual([0, undefined]);
    await watch.look();
    expect(await looks.look()).toMatchObject({ by: 'executor-1', findings: [good] });
  });

  it('runs a requested trial once, however many executors watch, and keeps its lease until the end', async () => {
    const clock = new ManualClock();
    const looks = new MemorySiteLooks(() => clock.now());
    await looks.askTrial('t1', 'ada');
    const keepTrial = looks.keepTrial.bind(looks);
    let renewals = 0;
    looks.keepTrial = (...args): Promise<boolean> => {
      clock.forward(leaseMs / 2);
      renewals += 1;
      return keepTrial(...args);
    };
    const made: string[] = [];
    const trial = async (id: string): Promise<readonly Finding[]> => {
      made.push(id);
      await eventually('a trial that is longer than its lease', () => renewals > 3);
      await aWatch(looks, { site: { trial }, executor: 'executor-2' }).tryOut(going);
      return [good];
    };
    await aWatch(looks, { site: { trial } }).tryOut(going);
    expect(made).toEqual(['t1']);
    expect(await looks.trial()).toMatchObject({ state: 'done', executor: 'executor-1', findings: [good] });
    expect(await looks.look()).toBeDefined();
  });

  it('reports that a trial failed to run', async () => {
    const looks = new MemorySiteLooks();
    await looks.askTrial('t1', '');
    await aWatch(looks, { site: { trial: () => Promise.reject(new Error('EROFS')) } }).tryOut(going);
    expect(await looks.trial()).toMatchObject({
      state: 'done',
      findings: [{ check: 'trial', level: 'error', seen: 'It cannot be made: EROFS' }],
    });
  });

  it('leaves a trial to others when its process stops', async () => {
    const clock = new ManualClock();
    const looks = new MemorySiteLooks(() => clock.now());
    await looks.askTrial('t1', '');
    const stopping = new AbortController();
    const trial = (_: string, signal: AbortSignal): Promise<readonly Finding[]> => {
      stopping.abort();
      return Promise.reject(signal.reason as Error);
    };
    await aWatch(looks, { site: { trial } }).tryOut(stopping.signal);
    clock.forward(leaseMs + 1);
    expect(await looks.trial()).toMatchObject({ state: 'waiting' });
    await aWatch(looks, { executor: 'executor-2' }).tryOut(going);
    expect(await looks.trial()).toMatchObject({ state: 'done', executor: 'executor-2' });
  });

  it("distinguishes its findings by name from the gateway's", async () => {
    const found = await asExecutors({
      area: 'redis',
      check: () => Promise.resolve([{ ...good, check: 'redis.clock' }]),
    }).check();
    expect(found).toEqual([{ ...good, check: 'executor.redis.clock' }]);
  });
});
