import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NewApiKey } from '@fleet/contracts/access';
import type { PrincipalRole } from '@fleet/contracts/route';
import { connectRedis } from '@fleet/redis';
import type { PostgresStore } from '@fleet/store';
import type { AxeResults } from 'axe-core';
import { chromium, type Browser, type Locator, type Page } from 'playwright-core';
import { RealGateway } from '../api/real-gateway';
import { openStore, type OpenStore } from '../support/servers';
import { ShownSessions } from './shown-sessions';

/** Milliseconds that each step may take: a busy machine is not a mistake of the page, and a step without a limit would never end. */
const patience = 600_000;

const built = join(__dirname, '../../dist/dashboard/index.html');

/**
 * Connects to the browser that all files share (`test/support/browser-server.mjs`).
 * @throws Error where there is no browser, or no dashboard to look at: each step would wait for a page that never comes
 */
export const connectBrowser = async (): Promise<Browser> => {
  if (!existsSync(built)) throw new Error('The dashboard is not built. Run: npm run build:dashboard');
  const endpoint = process.env['FLEET_TEST_BROWSER'];
  if (endpoint === undefined) throw new Error('no Chromium on PATH (Debian: apt-get install chromium)');
  return chromium.connect(endpoint);
};

/** A page polls, retries and waits for the end of typing five times as often as for people. */
const hurry = `for (const name of ['setTimeout', 'setInterval']) {
  const real = window[name].bind(window);
  window[name] = (action, ms, ...more) => real(action, ms >= 300 ? ms / 5 : ms, ...more);
}`;

/** Resolves when every animation that ends has ended. */
const settled = `Promise.all(document.getAnimations()
  .filter((one) => Number.isFinite(one.effect?.getComputedTiming().endTime))
  .map((one) => one.finished.catch(() => undefined)))`;

/** Resolves when an expression is true in a page; evaluated by the driver at each frame, for the policy of the page forbids it to evaluate text. */
export const becomesTrue = async (page: Page, expression: string): Promise<void> => {
  for (let frame = 0; frame < 2_000; frame += 1) {
    if (await page.evaluate<boolean>(expression)) return;
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(resolve))');
  }
  throw new Error(`it has not become true: ${expression}`);
};

/** Pictures of every page, where a folder for them is named. */
const pictures = process.env['FLEET_TEST_PICTURES'];

/** Pages of which docs/dashboard.md has pictures, written again with `FLEET_WRITE_DOCS=1`. */
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
  'statistics',
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
const writesDocs = process.env['FLEET_WRITE_DOCS'] === '1';
/** Every state that a test reaches is judged, too, and not the pages of every-page.e2e-spec.ts only. */
const judgesStates = process.env['FLEET_TEST_STATES'] === '1';
const documents = join(__dirname, '../../docs/images/dashboard');

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** A gateway over a real PostgreSQL and a real Redis, and a browser that looks at it. */
export class ShownBrowser {
  /** What pages said when something was refused or failed in them. */
  readonly complaints: string[] = [];
  /** What axe found on pages that is serious or critical. */
  readonly barriers: string[] = [];
  page!: Page;
  private admin: string | undefined;

  private constructor(
    readonly gateway: RealGateway,
    private readonly opened: OpenStore,
    readonly sessions: ShownSessions,
    readonly browser: Browser,
    readonly redis: ReturnType<typeof connectRedis>,
  ) {}

  /** @param given as `RealGateway.start` takes it */
  static async start(given: Parameters<typeof RealGateway.start>[0] = {}): Promise<ShownBrowser> {
    const browser = await connectBrowser();
    const gateway = await RealGateway.start(given);
    const redis = connectRedis({ url: gateway.servers.redis.url }).on('error', () => undefined);
    const opened = await openStore(gateway.servers.databaseUrl);
    const sessions = new ShownSessions(opened.store.records, join(gateway.root, 'work'));
    const shown = new ShownBrowser(gateway, opened, sessions, browser, redis);
    shown.page = await shown.newPage();
    return shown;
  }

  /**
   * In a browser that knows nothing of the others.
   * @param isBroken something is planted that fails in it: what it says of that is not a complaint
   */
  async newPage({ isBroken = false } = {}): Promise<Page> {
    const context = await this.browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
    context.setDefaultTimeout(patience);
    await context.addInitScript(hurry);
    const page = await context.newPage();
    if (isBroken) return page;
    page.on('console', (message) => {
      if (message.type() === 'error' || message.text().includes('Content Security Policy'))
        this.complaints.push(message.text());
    });
    page.on('pageerror', (error) => this.complaints.push(String(error)));
    return page;
  }

  get store(): PostgresStore {
    return this.opened.store;
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
    await page.locator('[data-testid="who"]').waitFor();
  }

  /**
   * A state of a page, light and dark, where it is asked for: axe judges it (`FLEET_TEST_STATES=1`), and pictures are taken (`FLEET_TEST_PICTURES=FOLDER`);
   * those of the docs (`FLEET_WRITE_DOCS=1`) begin `at` a part of it.
   */
  async look(name: string, page = this.page, at?: Locator): Promise<void> {
    const isDocumented = writesDocs && documented.has(name);
    if (!judgesStates && !isDocumented && pictures === undefined) return;
    await this.inBothThemes(page, async (theme) => {
      if (judgesStates) await this.judge(`${name}, ${theme}`, page);
      await at?.evaluate((part: { scrollIntoView(): void }) => part.scrollIntoView());
      if (isDocumented) await this.document(`${name}-${theme}.webp`, page);
      if (pictures === undefined) return;
      mkdirSync(pictures, { recursive: true });
      await page.screenshot({ path: join(pictures, `${name}-${theme}.png`), fullPage: true });
    });
  }

  /** Has axe judge a page, light and dark. */
  judgePage(name: string, page = this.page): Promise<void> {
    return this.inBothThemes(page, (theme) => this.judge(`${name}, ${theme}`, page));
  }

  private async inBothThemes(page: Page, act: (theme: 'light' | 'dark') => Promise<void>): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.evaluate(settled);
      await act(colorScheme);
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
    if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe);
    const { violations } = await page.evaluate<AxeResults>("axe.run(document, { resultTypes: ['violations'] })");
    for (const { id, impact, nodes } of violations)
      if (impact === 'serious' || impact === 'critical')
        this.barriers.push(`${name}: ${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' ')}`);
  }

  /**
   * Ends it, and fails where pages complained or a barrier was met.
   * @param mayFailToLoad a refusal is tested: what browsers report of it is not a complaint
   */
  async stop({ mayFailToLoad = true } = {}): Promise<void> {
    await this.browser.close();
    await this.opened.close();
    this.redis.disconnect();
    await this.gateway.stop();
    const complaints = this.complaints.filter((text) => !mayFailToLoad || !/Failed to load resource|ERR_/.test(text));
    expect({ complaints, barriers: this.barriers }).toEqual({ complaints: [], barriers: [] });
  }
}
