import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NewApiKey } from '@fleet/contracts/access';
import type { SessionView } from '@fleet/contracts/sessions';
import type { Page, Route } from 'playwright-core';
import { aModel, someReflections } from '../api/gateway-harness';
import { ShownBrowser } from './shown-browser';

// @needs chromium

/** Three chunks of an upload. */
const manyReflections =
  someReflections +
  Array.from(
    { length: 300_000 },
    (_, at) =>
      `${[at % 90, Math.floor(at / 90) % 90, Math.floor(at / 8100)].map((index) => String(index + 1).padStart(4)).join('')}   134.5     4.5\n`,
  ).join('');
const chunkBytes = 4 * 1024 * 1024;

const fileUploads = '**/v1/uploads/*';

/** What a page asks of uploads: method, and the place from which it sends. */
const watch = (page: Page): readonly string[] => {
  const requests: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/v1/uploads'))
      requests.push(`${request.method()} ${request.headers()['upload-offset'] ?? ''}`.trim());
  });
  return requests;
};

/** Holds chunks but the first of each file until they are let go. */
const holdSecond = async (page: Page): Promise<{ readonly held: Promise<void>; readonly letGo: () => void }> => {
  let letGo = (): void => undefined;
  const gone = new Promise<void>((resolve) => (letGo = resolve));
  let reached = (): void => undefined;
  const held = new Promise<void>((resolve) => (reached = resolve));
  await page.route(fileUploads, async (route) => {
    if (Number(route.request().headers()['upload-offset'] ?? 0) > 0) {
      reached();
      await gone;
    }
    await route.fallback();
  });
  return { held, letGo };
};

describe('uploads in the dashboard', () => {
  let shown: ShownBrowser;
  /** The data folder of the gateway's machine. */
  let data: string;
  /** Somebody's own computer. */
  let own: string;
  beforeAll(async () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'fleet-upload-')));
    [data, own] = [join(root, 'data'), join(root, 'own')];
    for (const folder of [data, own]) mkdirSync(folder);
    mkdirSync(join(data, 'uploads'));
    shown = await ShownBrowser.start({
      env: { FLEET_DATA_ROOTS: data, FLEET_UPLOAD_ROOT: join(data, 'uploads'), FLEET_UPLOAD_MAX_FILE_MIB: '10' },
    });
  });
  afterAll(async () => {
    await shown.stop();
    rmSync(join(data, '..'), { recursive: true, force: true });
  });

  const mine = (name: string, content: string): string => {
    const path = join(own, name);
    writeFileSync(path, content);
    return path;
  };
  const arrived = (name: string): string => join(data, 'uploads/mx1234', name);
  const input = (page = shown.page) => page.getByLabel('Upload…');
  const progress = (name: string, page = shown.page) =>
    page.getByRole('progressbar', { name: `Upload of ${name}`, exact: true });
  const button = (name: string, page = shown.page) => page.getByRole('button', { name, exact: true });
  const picked = (page = shown.page) => page.getByTestId('picked');
  const says = (text: string | RegExp, page = shown.page) => page.getByText(text).waitFor();
  const open = async (page = shown.page): Promise<void> => {
    await page.goto(`${shown.gateway.url}/ui/submit`);
    await page.evaluate('sessionStorage.clear()');
    await page.reload();
    await page.getByLabel('Proposal').fill('mx1234');
  };

  it('are selected when complete, with their categories, and submitted', async () => {
    await open();
    await input().setInputFiles([mine('first.sca', manyReflections), mine('first.pdb', aModel)]);
    await says('first.pdb is uploaded and selected.');
    await picked().getByText('scalepack').first().waitFor();
    await picked().getByText('pdb', { exact: true }).first().waitFor();
    expect(readFileSync(arrived('first.sca'), 'utf8')).toBe(manyReflections);
    await says('Everything is valid.');
    await shown.page.getByLabel('Title').fill('Of uploaded files');
    await says('Everything is valid.');
    await button('Submit').click();
    await shown.page.waitForURL(/sessions\/[0-9a-z]{26}/);
    const id = /sessions\/([0-9a-z]{26})/.exec(shown.page.url())?.[1] ?? '';
    const session = (await (await fetch(`${shown.gateway.url}/v1/sessions/${id}`)).json()) as SessionView;
    expect(session.request.inputs.map(({ path }) => path)).toEqual(['first.sca', 'first.pdb'].map(arrived));
  });

  it('resume after a reload when the same file is selected again', async () => {
    await open();
    const file = mine('second.sca', manyReflections);
    const { held, letGo } = await holdSecond(shown.page);
    await input().setInputFiles(file);
    await held;
    const percent = Math.round((100 * chunkBytes) / manyReflections.length);
    expect(await progress('second.sca').getAttribute('aria-valuenow')).toBe(String(percent));
    const asks: string[] = [];
    shown.page.once('dialog', (dialog) => {
      asks.push(dialog.type());
      void dialog.accept();
    });
    await shown.page.reload();
    letGo();
    expect(asks).toEqual(['beforeunload']);
    const requests = watch(shown.page);
    await input().setInputFiles(file);
    await says('second.sca is uploaded and selected.');
    expect(requests.slice(0, 2)).toEqual(['GET', `PATCH ${String(chunkBytes)}`]);
    expect(requests).not.toContain('POST');
    expect(readFileSync(arrived('second.sca'), 'utf8')).toBe(manyReflections);
  });

  it('are paused, wait for the gateway, resume, and are cancelled', async () => {
    await open();
    const { held, letGo } = await holdSecond(shown.page);
    await input().setInputFiles(mine('third.sca', manyReflections));
    await held;
    await button('Pause: third.sca').press('Enter');
    await says(/paused/);
    letGo();
    expect(await shown.page.evaluate('document.activeElement.textContent')).toBe('Continue');
    await shown.page.context().setOffline(true);
    await button('Continue: third.sca').press('Enter');
    await says(/The gateway does not respond/);
    await shown.page.context().setOffline(false);
    await says('third.sca is uploaded and selected.');
    expect(readFileSync(arrived('third.sca'), 'utf8')).toBe(manyReflections);

    const again = await holdSecond(shown.page);
    await input().setInputFiles(mine('fourth.sca', manyReflections));
    await again.held;
    await button('Cancel: fourth.sca').click();
    await progress('fourth.sca').waitFor({ state: 'detached' });
    again.letGo();
    expect(await shown.page.evaluate('document.activeElement.type')).toBe('file');
    expect(existsSync(arrived('fourth.sca'))).toBe(false);
  });

  it('show why they are refused, and do not stop others', async () => {
    await open();
    await shown.page.getByLabel('Proposal').fill('');
    await input().setInputFiles(mine('a.pdb', aModel));
    await says(/Enter the proposal first/);
    await shown.page.getByLabel('Proposal').fill('mx1234');
    const corrupt = async (route: Route): Promise<void> => {
      const body = route.request().postDataBuffer();
      if (body?.includes('REMARK corrupted') === true) body[0] = 0x58;
      await route.continue(body === null ? {} : { postData: body });
    };
    await shown.page.route(fileUploads, corrupt);
    const { held, letGo } = await holdSecond(shown.page);
    await input().setInputFiles([
      mine('empty.pdb', ''),
      mine('large.sca', ' '.repeat(11 * 1024 * 1024)),
      mine('picture.png', '\u0089PNG\r\n\u001a\n\0\0'),
      mine('first.pdb', aModel),
      mine('corrupted.pdb', `${aModel}REMARK corrupted\n`),
      mine('fifth.pdb', `${aModel}REMARK another\n`),
      mine('fifth.sca', manyReflections),
    ]);
    await says(/empty.pdb is empty/);
    await says(/large.sca has 12 MB. At most 10 MB/);
    await held;
    await shown.page.unroute(fileUploads, corrupt);
    const why = (name: string) =>
      shown.page.locator('[data-testid="upload"]', { hasText: name }).getByRole('alert').innerText();
    expect([await why('picture.png'), await why('first.pdb'), await why('corrupted.pdb')]).toEqual([
      expect.stringMatching(/format/) as unknown,
      expect.stringMatching(/first\.pdb/) as unknown,
      expect.stringMatching(/SHA-256|checksum/i) as unknown,
    ]);
    await shown.look('submit-upload');
    letGo();
    await says('fifth.sca is uploaded and selected.');
    await button('Try again: corrupted.pdb').click();
    await says('corrupted.pdb is uploaded and selected.');
    expect(await picked().innerText()).toMatch(/fifth\.pdb.*fifth\.sca.*corrupted\.pdb/s);
  });

  it('accept dropped files', async () => {
    await open();
    const content = JSON.stringify(`${aModel}REMARK dropped\n`);
    const transfer = await shown.page.evaluateHandle(
      `(() => { const held = new DataTransfer(); held.items.add(new File([${content}], 'dropped.pdb')); return held; })()`,
    );
    // As a browser tells of files that are held above a page: again and again, and before the page listens too.
    const isOver = () => shown.page.locator('[data-over="true"]').isVisible();
    for (let time = 0; time < 5_000 && !(await isOver()); time += 1)
      await shown.page.dispatchEvent('main', 'dragover', { dataTransfer: transfer });
    expect(await isOver()).toBe(true);
    await shown.page.dispatchEvent('main', 'drop', { dataTransfer: transfer });
    await says('dropped.pdb is uploaded and selected.');
  });

  it('resume without loss after the login expired', async () => {
    await shown.makeKey('admin');
    const key = (): Promise<NewApiKey> => shown.makeKey('user', { proposals: ['mx1234'] });
    const first = await key();
    const page = await shown.newPage({ isBroken: true });
    await shown.enter(page, first.key, 'submit');
    const requests = watch(page);
    const { held, letGo } = await holdSecond(page);
    await input(page).setInputFiles(mine('sixth.sca', manyReflections));
    await held;
    await shown.send('POST', `/v1/admin/keys/${first.record.id}/revocation`, {});
    letGo();
    await page
      .getByRole('dialog')
      .getByRole('textbox', { name: 'Key' })
      .fill((await key()).key);
    await page.getByRole('button', { name: 'Log in' }).click();
    await says('sixth.sca is uploaded and selected.', page);
    expect(requests.filter((what) => what === 'POST' || what === 'PATCH 0')).toEqual(['POST', 'PATCH 0']);
    expect(readFileSync(arrived('sixth.sca'), 'utf8')).toBe(manyReflections);
    await page.context().close();
  });

  it('are not offered without permission', async () => {
    const page = await shown.newPage({ isBroken: true });
    const reader = await shown.makeKey('user', { proposals: ['mx1234'], scopes: ['read'] });
    await shown.enter(page, reader.key, 'submit');
    await page.getByLabel('Advice in plain words').waitFor();
    expect(await input(page).count()).toBe(0);
    await page.context().close();
  });
});
