import { setTimeout as pause } from 'node:timers/promises';
import { anEvent, useStarted } from '@fleet/testing';
import type { CDPSession, Page } from 'playwright-core';
import { shownBatch } from '../dashboard/shown-batch';
import { ShownBrowser } from '../dashboard/shown-browser';
import { deliver, figure, median, type Figure } from './figures';

// @needs chromium

const ROWS = Number(process.env['FLEET_BENCH_ROWS'] ?? '10000');
const LOADS = 7;
/** Sessions on the first page of the list, which move in turn. */
const MOVING = 40;
const PER_MINUTE = 1_000;
const BUSY_MS = 60_000;
/** What an hour of that is, and how many a second tell it in less. */
const AN_HOUR = 60 * PER_MINUTE;
const PER_SECOND = 250;
const SAMPLES = 12;

const shown = useStarted('file', () => ShownBrowser.start());
let batch: string;
let moving: readonly string[];
const versions = new Map<string, number>();
const figures: Figure[] = [];

beforeAll(async () => {
  batch = await shownBatch(shown, ROWS);
  const made: string[] = [];
  for (let number = 1; number <= MOVING; number += 1) made.push(await shown.sessions.fresh(`Moving ${String(number)}`));
  moving = made;
});
afterEach(() => deliver(figures));

/** Milliseconds from an address to what is waited for. */
const opened = async (path: string, sign: string): Promise<number> => {
  const page = await shown.newPage();
  const start = performance.now();
  await page.goto(`${shown.gateway.url}/ui/${path}`, { waitUntil: 'commit' });
  await page.locator(sign).first().waitFor();
  const ms = performance.now() - start;
  await page.context().close();
  return ms;
};

const medianLoad = async (path: string, sign: string): Promise<number> => {
  const times: number[] = [];
  for (let load = 0; load <= LOADS; load += 1) {
    const ms = await opened(path, sign);
    // The gateway has read nothing of it before the first.
    if (load > 0) times.push(ms);
  }
  return median(times) / 1000;
};

/** One session moves on; every page that shows it receives the event. */
const move = async (at: number): Promise<void> => {
  const id = moving[at % MOVING] ?? '';
  const version = versions.get(id) ?? 1;
  const to = { stage: 'deciding', cycle: version + 1, attempt: 1 } as const;
  const events = [anEvent({ cycle: version })];
  await shown.store.records.advance({ sessionId: id, fromVersion: version, to, events, dueInMs: 3_600_000 });
  versions.set(id, version + 1);
};

/** A number of moves at a rate per second; what falls behind is caught up. */
const moves = async (count: number, perSecond: number): Promise<void> => {
  const start = performance.now();
  for (let at = 0; at < count; at += 1) {
    await move(at);
    const early = (at * 1000) / perSecond - (performance.now() - start);
    if (early > 1) await pause(early);
  }
};

const measured = async (devtools: CDPSession, name: string): Promise<number> => {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
};

/** MiB of JavaScript that are left after a collection. */
const heapMib = async (devtools: CDPSession): Promise<number> => {
  await devtools.send('HeapProfiler.collectGarbage');
  return (await measured(devtools, 'JSHeapUsedSize')) / 1024 / 1024;
};

const liveList = async (): Promise<{ readonly page: Page; readonly devtools: CDPSession }> => {
  const page = await shown.newPage();
  await page.goto(`${shown.gateway.url}/ui/sessions?text=Moving`);
  await page.getByTestId('live').filter({ hasText: 'Live' }).waitFor();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  return { page, devtools };
};

describe('the dashboard', () => {
  it('is there soon', async () => {
    const long = await shown.sessions.long('Twenty cycles', 20);
    figures.push(
      figure(
        `list of ${String(ROWS)} sessions, from the address to its rows, median (s)`,
        await medianLoad('sessions', 'table.sessions tbody tr'),
        '<=',
        1.5,
      ),
    );
    figures.push(
      figure(
        'page of a session of 20 cycles, to its last cycle, median (s)',
        await medianLoad(`sessions/${long}`, '#cycle-20'),
        '<=',
        1,
      ),
    );
  });

  it('scrolls a batch of many rows', async () => {
    const page = await shown.newPage();
    await page.goto(`${shown.gateway.url}/ui/batches/${batch}`);
    await page.getByTestId('grid').waitFor();
    await pause(3_000);
    await page.evaluate(
      `window.longTasks = []; new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.longTasks.push(entry.duration); }).observe({ entryTypes: ['longtask'] });`,
    );
    const height = Number(await page.evaluate('document.documentElement.scrollHeight'));
    await page.mouse.move(700, 450);
    for (let y = 0; y < height + 2_000; y += 400) {
      await page.mouse.wheel(0, 400);
      await pause(50);
    }
    const tasks = await page.evaluate<readonly number[]>('window.longTasks');
    figures.push(
      figure(
        `page of a batch of ${String(ROWS)} rows, longest task while it is scrolled (ms; 0: none of 50 ms)`,
        Math.max(0, ...tasks),
        '<=',
        100,
      ),
    );
    await page.context().close();
  });

  it('follows a thousand moves a minute', async () => {
    const { page, devtools } = await liveList();
    const before = await measured(devtools, 'TaskDuration');
    await moves((PER_MINUTE * BUSY_MS) / 60_000, PER_MINUTE / 60);
    const share = ((await measured(devtools, 'TaskDuration')) - before) / (BUSY_MS / 1000);
    figures.push(
      figure(
        `list that hears ${String(PER_MINUTE)} moves a minute, share of a core that its page takes`,
        share,
        '<=',
        0.3,
      ),
    );
    await page.context().close();
  });

  it('does not grow in an hour of moves', async () => {
    const { page, devtools } = await liveList();
    const heaps: number[] = [];
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      await moves(AN_HOUR / SAMPLES, PER_SECOND);
      heaps.push(await heapMib(devtools));
    }
    const quarter = SAMPLES / 4;
    const ratio = median(heaps.slice(-quarter)) / median(heaps.slice(quarter, 2 * quarter));
    figures.push(
      figure(
        `list that hears an hour of them in four minutes, its heap after a collection, last quarter against the second`,
        ratio,
        '<=',
        1.1,
      ),
    );
    await page.getByTestId('live').filter({ hasText: 'Live' }).waitFor();
    await page.context().close();
  });
});
