import type { ApiKeysView } from '@fleet/contracts/access';
import { useStarted } from '@fleet/testing';
import type { Page } from 'playwright-core';
import { ShownBrowser } from './shown-browser';
import { hostile } from './shown-sessions';

// @needs chromium

describe('the page of the keys', () => {
  const shown = useStarted('file', () => ShownBrowser.start());
  let page: Page;
  beforeAll(async () => {
    page = shown.page;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  });

  const dialog = () => page.getByRole('dialog');
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  // By the owner alone: a random key id can contain `ada`.
  const row = (owner: string) =>
    page.getByTestId('keys').locator('tbody tr', { has: page.locator('b').getByText(owner, { exact: true }) });
  const meOf = async (key: string): Promise<number> =>
    (await fetch(`${shown.gateway.url}/v1/me`, { headers: { authorization: `Bearer ${key}` } })).status;
  const makeOne = async (type: () => Promise<void>): Promise<string> => {
    await button('Create key…').click();
    await type();
    await dialog().getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('dialog', { name: /^Key of/ }).waitFor();
    return (await dialog().locator('code').first().innerText()).trim();
  };

  it('creates the first key of a gateway, and logs in with it', async () => {
    await shown.go('operations/keys');
    await page.getByText('No keys yet').waitFor();
    const key = await makeOne(async () => {
      await dialog().getByText('The first key must belong').waitFor();
      expect(await dialog().getByLabel('Role').locator('option').allInnerTexts()).toEqual(['admin']);
      await dialog().getByLabel('Owner').fill('root');
    });
    await page.keyboard.press('Escape');
    expect(await dialog().count()).toBe(1);
    await button('I have copied it').click();
    await row('root').waitFor();
    await page.locator('[data-testid="who"]', { hasText: 'root' }).waitFor();
    expect(await meOf(key)).toBe(200);
    expect((await fetch(`${shown.gateway.url}/v1/me`)).status).toBe(401);
  });

  it('creates a key with fewer scopes than its role, shows it once, and copies it', async () => {
    const key = await makeOne(async () => {
      await dialog().getByLabel('Owner').fill('acquisition-i04');
      await dialog().getByLabel('Role').selectOption('service');
      await dialog().getByLabel('Label').fill(`at the beamline ${hostile}`);
      await dialog().getByLabel('Beamlines').fill('i04, i24');
      await dialog().getByLabel('Proposals').fill('*');
      await dialog().getByLabel('decide').uncheck();
      await dialog().getByLabel('Validity (days)').fill('10');
      await shown.look('keys-make');
    });
    await button('Copy: Key').click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key);
    await shown.look('keys-made');
    await button('I have copied it').click();
    await row('acquisition-i04').waitFor();
    expect(await row('acquisition-i04').innerText()).toMatch(/service\s+\*, i04, i24\s+.*Expires soon/s);
    expect(await row('acquisition-i04').locator('td').nth(3).innerText()).not.toContain('decide');
    expect(await page.content()).not.toContain(key);
    expect(await page.title()).not.toBe('owned');
  });

  it('shows the link of a kiosk key, and reports problems without losing the input', async () => {
    const key = await makeOne(async () => {
      await dialog().getByLabel('Owner').fill('no name');
      await dialog().getByLabel('Role').selectOption('kiosk');
      await dialog().getByRole('button', { name: 'Create key' }).click();
      await dialog().getByRole('alert').getByText('owner').waitFor();
      await dialog().getByLabel('Owner').fill('hutch-i04');
      await dialog().getByLabel('Beamlines').fill('i04');
    });
    expect(await dialog().locator('code').nth(1).innerText()).toBe(`${shown.gateway.url}/ui/wall#key=${key}`);
    await button('I have copied it').click();
    await row('hutch-i04').waitFor();
  });

  it('revokes a key by keyboard after a confirmation, which makes it invalid', async () => {
    const key = await makeOne(async () => {
      await dialog().getByLabel('Owner').fill('ada');
      await dialog().getByLabel('Proposals').fill('mx1234');
    });
    await button('I have copied it').click();
    expect(await meOf(key)).toBe(200);
    await row('ada').getByRole('button').press('Enter');
    await dialog().getByText('becomes invalid at once').waitFor();
    await shown.look('keys-revoke');
    await page.keyboard.press('Escape');
    expect(await meOf(key)).toBe(200);
    await row('ada').getByRole('button').click();
    await dialog().getByRole('button', { name: 'Revoke key' }).click();
    await row('ada').waitFor({ state: 'detached' });
    expect(await meOf(key)).toBe(401);
    await page.locator('.mantine-Switch-root', { hasText: 'Show expired and revoked keys' }).click();
    expect(await row('ada').innerText()).toMatch(/Revoked.*by root/s);
    await shown.look('keys');
    await page.getByLabel('Owner, label or id').fill('hutch');
    await page.getByText('1 key', { exact: true }).waitFor();
  });

  it('warns before the key of the present login is revoked', async () => {
    await page.getByLabel('Owner, label or id').fill('root');
    await row('root').getByRole('button').click();
    await dialog().getByText('You are logged in with').waitFor();
    await button('Keep unchanged').click();
    const { keys } = await page.evaluate<ApiKeysView>(
      `fetch('../v1/admin/keys', { headers: { authorization: 'Bearer ' + sessionStorage.getItem('phenix-fleet.key') } }).then((answer) => answer.json())`,
    );
    expect(keys.filter(({ revokedAt }) => revokedAt !== undefined).map(({ owner }) => owner)).toEqual(['ada']);
  });

  it('shows other roles a message', async () => {
    const key = await makeOne(async () => {
      await dialog().getByLabel('Owner').fill('sam');
      await dialog().getByLabel('Role').selectOption('staff');
    });
    const other = await shown.newPage();
    await shown.enter(other, key, 'operations/keys');
    await other.getByText('You are logged in as sam with the role staff').waitFor();
  });
});
