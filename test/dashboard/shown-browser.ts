import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { connectStore, RedisStore } from '@fleet/session-store';
import { chromium, type Browser, type Page } from 'playwright-core';
import { RealGateway } from '../api/real-gateway';
import { ShownSessions } from './shown-sessions';

/** The browser of the system; a driver's own download is none. */
const executable = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);

/** Pictures of every page, where a folder for them is named. */
const pictures = process.env['FLEET_TEST_PICTURES'];

/** Milliseconds that each step may take: a busy machine is no mistake of the page, and a step without a limit would never end. */
const patience = 120_000;

/** A gateway over a real Redis, and a browser that looks at it. */
export class ShownBrowser {
  /** What pages said when something was refused or failed in them. */
  readonly complaints: string[] = [];
  page!: Page;

  private constructor(
    readonly gateway: RealGateway,
    readonly store: RedisStore,
    readonly sessions: ShownSessions,
    readonly browser: Browser,
    readonly redis: ReturnType<typeof connectStore>,
  ) {}

  /** @param given as `RealGateway.start` takes it */
  static async start(given: Parameters<typeof RealGateway.start>[0] = {}): Promise<ShownBrowser> {
    const gateway = await RealGateway.start(given);
    const redis = connectStore({ url: gateway.redis.url }).on('error', () => undefined);
    const store = new RedisStore(redis, 'fleet');
    const browser = await chromium.launch({
      ...(executable !== undefined && { executablePath: executable }),
      args: ['--no-sandbox'],
    });
    const sessions = new ShownSessions(store.records, join(gateway.root, 'work'));
    const shown = new ShownBrowser(gateway, store, sessions, browser, redis);
    shown.page = await shown.newPage();
    return shown;
  }

  /** In a browser that knows nothing of the others. */
  async newPage(): Promise<Page> {
    const context = await this.browser.newContext({ viewport: { width: 1440, height: 900 } });
    context.setDefaultTimeout(patience);
    const page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error' || message.text().includes('Content Security Policy'))
        this.complaints.push(message.text());
    });
    page.on('pageerror', (error) => this.complaints.push(String(error)));
    return page;
  }

  go(path: string): Promise<unknown> {
    return this.page.goto(`${this.gateway.url}/ui/${path}`);
  }

  /** Of the whole page, light and dark. */
  async picture(name: string, page = this.page): Promise<void> {
    if (pictures === undefined) return;
    mkdirSync(pictures, { recursive: true });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.waitForTimeout(400);
      await page.screenshot({ path: join(pictures, `${name}-${colorScheme}.png`), fullPage: true });
    }
    await page.emulateMedia({ colorScheme: 'light' });
  }

  async stop(): Promise<void> {
    await this.browser.close();
    this.store.close();
    this.redis.disconnect();
    await this.gateway.stop();
  }
}
