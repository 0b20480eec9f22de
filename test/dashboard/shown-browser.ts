import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NewApiKey, PrincipalRole } from '@fleet/contracts';
import { connectStore, RedisStore } from '@fleet/session-store';
import type { AxeResults } from 'axe-core';
import { chromium, type Browser, type Locator, type Page } from 'playwright-core';
import { RealGateway } from '../api/real-gateway';
import { ShownSessions } from './shown-sessions';

/** The browser of the system; a driver's own download is none. */
const executable = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);

/** Pictures of every page, where a folder for them is named. */
const pictures = process.env['FLEET_TEST_PICTURES'];

/** Pages of which docs/dashboard.md has pictures, written again with `FLEET_TEST_WRITE_DOCS=1`. */
const documented: ReadonlySet<string> = new Set([
  'sessions',
  'session',
  'log',
  'session-files',
  'session-log-summary',
  'session-advice',
  'session-3d',
  'session-validation',
  'session-ramachandran',
  'session-assessment',
  'session-trace',
  'compare',
  'batches',
  'batch',
  'batch-failures',
  'submit',
  'submit-upload',
  'submit-again',
  'fork',
  'manifest',
  'operations',
  'queues',
  'queues-job',
  'keys',
  'keys-made',
  'wall-1080p',
  'login-provider',
  'phone-sessions',
]);
const writesDocs = process.env['FLEET_TEST_WRITE_DOCS'] === '1';
const documents = join(__dirname, '../../docs/images/dashboard');

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** Milliseconds that each step may take: a busy machine is no mistake of the page, and a step without a limit would never end. */
const patience = 120_000;

/** A gateway over a real Redis, and a browser that looks at it. */
export class ShownBrowser {
  /** What pages said when something was refused or failed in them. */
  readonly complaints: string[] = [];
  /** What axe found on pages that is serious or critical. */
  readonly barriers: string[] = [];
  page!: Page;
  private admin: string | undefined;

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
      // 3D is drawn by the processor.
      args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
    });
    const sessions = new ShownSessions(store.records, join(gateway.root, 'work'));
    const shown = new ShownBrowser(gateway, store, sessions, browser, redis);
    shown.page = await shown.newPage();
    return shown;
  }

  /**
   * In a browser that knows nothing of the others.
   * @param isBroken something is planted that fails in it: what it says of that is no complaint
   */
  async newPage({ isBroken = false } = {}): Promise<Page> {
    const context = await this.browser.newContext({ viewport: { width: 1440, height: 900 } });
    context.setDefaultTimeout(patience);
    const page = await context.newPage();
    if (isBroken) return page;
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

  /** As the administrator whose key was made first, or as anybody while there is none. */
  async send<T>(method: string, path: string, body: object): Promise<T> {
    const answer = await fetch(`${this.gateway.url}${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(this.admin !== undefined && { authorization: `Bearer ${this.admin}` }),
      },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as T;
  }

  /** A key of somebody who is called as their role; the first has to be an administrator's. */
  async makeKey(role: PrincipalRole, more: object = {}): Promise<NewApiKey> {
    const made = await this.send<NewApiKey>('POST', '/v1/admin/keys', { owner: role, role, ...more });
    this.admin ??= made.key;
    return made;
  }

  /** Logs in with a key, and opens a page. */
  async enter(page: Page, key: string, path: string): Promise<void> {
    await page.goto(`${this.gateway.url}/ui/${path}`);
    await page.getByRole('textbox', { name: 'Key' }).fill(key);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.locator('.who').waitFor();
  }

  /** Looks at the whole page, light and dark: axe judges it, and pictures are taken where a folder for them is named; those of the docs begin `at` a part of it. */
  async look(name: string, page = this.page, at?: Locator): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.waitForTimeout(400);
      await this.judge(`${name}, ${colorScheme}`, page);
      await at?.evaluate((part: { scrollIntoView(): void }) => {
        part.scrollIntoView();
      });
      if (writesDocs && documented.has(name)) await this.document(`${name}-${colorScheme}.webp`, page);
      if (pictures === undefined) continue;
      mkdirSync(pictures, { recursive: true });
      await page.screenshot({ path: join(pictures, `${name}-${colorScheme}.png`), fullPage: true });
    }
    await page.emulateMedia({ colorScheme: 'light' });
  }

  /** What one sees without scrolling, for docs/dashboard.md. */
  private async document(name: string, page: Page): Promise<void> {
    const devtools = await page.context().newCDPSession(page);
    const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: 60 });
    await devtools.detach();
    mkdirSync(documents, { recursive: true });
    writeFileSync(join(documents, name), Buffer.from(data, 'base64'));
  }

  /** Evaluated by the driver, which the policy of the page does not bind. */
  private async judge(name: string, page: Page): Promise<void> {
    await page.evaluate(axe);
    const { violations } = await page.evaluate<AxeResults>("axe.run(document, { resultTypes: ['violations'] })");
    for (const { id, impact, nodes } of violations)
      if (impact === 'serious' || impact === 'critical')
        this.barriers.push(`${name}: ${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' ')}`);
  }

  async stop(): Promise<void> {
    await this.browser.close();
    this.store.close();
    this.redis.disconnect();
    await this.gateway.stop();
  }
}
