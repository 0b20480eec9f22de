import { useStarted } from '@fleet/testing';
import { shownBatch } from './shown-batch';
import { becomesTrue, ShownBrowser } from './shown-browser';
import { failStep, fillOperations } from './shown-operations';
import { refined, sceneSession } from './shown-scene';
import { tracedSession } from './shown-trace';

// @needs chromium

interface Shown {
  readonly path: string;
  /** What is there once the page has what it shows. */
  readonly ready: string;
  /** Widths in pixels at which nothing may be wider than the window, beside that of a telephone. */
  readonly widths?: readonly number[];
  /** A button that opens a dialog, which is judged too. */
  readonly opens?: string;
}

const telephone = { width: 390, height: 844 };
const desk = { width: 1440, height: 900 };

/** Parts of a page that are wider than what holds them; a telephone scrolls tables. */
const wide = (parts: string): string =>
  `[document.documentElement, ...document.querySelectorAll('${parts}')].filter((part) => part.scrollWidth > part.clientWidth + 1).length`;

/** By name; the path names sessions and others that are made before. */
const pages: Readonly<Record<string, Shown>> = {
  sessions: { path: 'sessions', ready: '[data-column="updated"] time', widths: [1366, 3840] },
  'session, cycles': {
    path: 'sessions/SOLVED?cycle=5',
    ready: '[role="img"] canvas, [data-testid="command"]',
    widths: [1366, 3840],
  },
  'session, failed': { path: 'sessions/FAILED', ready: '[data-testid="head"] [data-state="failed_science"]' },
  'session, simulated': { path: 'sessions/SIMULATED', ready: '[data-testid="simulated"]' },
  'session, running': { path: 'sessions/RUNNING', ready: 'details[data-outcome]', opens: 'Cancel…' },
  'session, validation': { path: 'sessions/SCENE?view=validation', ready: '[data-testid="residues"] canvas' },
  'session, assessment': { path: 'sessions/SOLVED?view=assessment', ready: '[data-testid="written-part"]' },
  'session, files': { path: 'sessions/SOLVED?view=files', ready: '[data-testid="files"] tbody tr' },
  'session, trace': { path: 'sessions/TRACED?view=trace&op=3.3', ready: '[data-testid="operation"]' },
  'session, log': { path: 'sessions/RUNNING?view=log', ready: '[data-testid="log-line"]' },
  'session, 3D': { path: 'sessions/SCENE?view=3d', ready: '[data-maps="density difference"][data-mapping="false"]' },
  compare: { path: 'compare?left=SOLVED&right=FAILED', ready: 'tr[data-cycle="1"]' },
  'compare, empty': { path: 'compare', ready: 'main input' },
  batches: { path: 'batches', ready: 'tr[data-batch]' },
  batch: { path: 'batches/BATCH', ready: '[data-kind="distribution"] canvas' },
  'batch, failures': { path: 'batches/BATCH?view=failures', ready: '[data-testid="failure"]' },
  statistics: { path: 'statistics', ready: '[data-testid="outcomes"] canvas, [data-testid="figures"]' },
  submit: { path: 'submit', ready: '[data-testid="entries"] a', widths: [1366, 3840] },
  manifest: { path: 'submit/manifest', ready: 'main section' },
  fork: { path: 'fork?from=SOLVED&cycle=3', ready: 'main textarea' },
  operations: {
    path: 'operations',
    ready: '[data-probe="redis"], [data-cause], [data-testid="audit"]',
    widths: [1366, 3840],
    opens: 'Pause…',
  },
  queues: { path: 'operations/queues', ready: '[data-testid="jobs"] tbody tr' },
  keys: { path: 'operations/keys', ready: 'main button', opens: 'Create key…' },
  wall: { path: 'wall', ready: '[data-testid="wall-row"]' },
};

describe('every page, light and dark', () => {
  const shown = useStarted('file', () => ShownBrowser.start());
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    const { sessions } = shown;
    // First: the step that fails is the first job of its queue.
    await failStep(shown, await sessions.fresh('Insulin'));
    ids['SOLVED'] = await sessions.solved('MDM2 with nutlin-3a', { pinned: false });
    ids['FAILED'] = await sessions.ended('Thaumatin, wrong space group', 'program_failed');
    ids['SIMULATED'] = await sessions.simulated('Prediction of a dimer');
    ids['RUNNING'] = (await sessions.running('Lysozyme', 'Starting phenix.refine\n  macro cycle 1\n')).id;
    ids['TRACED'] = await tracedSession(shown, { title: 'Traced' });
    ids['SCENE'] = await sceneSession(shown, { title: 'In 3D', files: [refined.model, refined.map] });
    ids['BATCH'] = await shownBatch(shown, 16);
    await fillOperations(shown);
  });

  it.each(Object.keys(pages))('%s: no serious barrier, and nothing is cut off', async (name) => {
    const { path, ready, widths = [], opens } = pages[name]!;
    const { page } = shown;
    await page.setViewportSize(desk);
    await shown.go(path.replace(/[A-Z]{4,}/g, (id) => ids[id] ?? id));
    for (const part of ready.split(', ')) await page.locator(part).first().waitFor();
    await shown.judgePage(name);
    if (opens !== undefined) {
      await page.getByRole('button', { name: opens }).first().click();
      await page.getByRole('dialog').waitFor();
      await shown.judgePage(`${name}, ${opens}`);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    for (const width of widths) {
      await page.setViewportSize({ ...desk, width });
      await becomesTrue(page, `${wide('[data-testid="table-frame"]')} === 0`);
    }
    await page.setViewportSize(telephone);
    await becomesTrue(page, `${wide('none')} === 0`);
    if (name === 'sessions') await shown.look('phone-sessions');
    expect(shown.barriers).toEqual([]);
  });

  it('the dialog after the list, and the login', async () => {
    const { page } = shown;
    await page.setViewportSize(desk);
    await shown.go('sessions');
    await page.locator('[data-testid="sessions"] tbody tr', { hasText: 'Insulin' }).getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Cancel 1…' }).click();
    await page.getByRole('dialog').waitFor();
    await shown.judgePage('question');
    await shown.makeKey('admin');
    const other = await shown.newPage({ isBroken: true });
    await other.goto(`${shown.gateway.url}/ui/sessions`);
    await other.getByRole('heading', { name: 'Log in' }).waitFor();
    await shown.judgePage('login', other);
    expect(shown.barriers).toEqual([]);
  });
});
