import { useStarted } from '@fleet/testing';
import { ShownBrowser } from './shown-browser';

// @needs chromium

describe('the retention of a session, on its page', () => {
  const shown = useStarted('file', () =>
    ShownBrowser.start({
      env: { FLEET_RETENTION: '[{"outcome": "failed_science", "folder": "2y", "record": "never"}]' },
    }),
  );

  const button = (name: string) => shown.page.getByRole('button', { name, exact: true });
  const panel = () => shown.page.getByTestId('kept');

  it('is shown with the rule; a user pins and unpins the session', async () => {
    const ended = await shown.sessions.ended('Thaumatin, wrong space group', 'program_failed');
    await shown.go(`sessions/${ended}`);
    const sentence =
      /Its files are kept until \d{4}-\d\d-\d\d \(rule failed_science: folder 2 years, record without end\)/;
    await panel().getByText(sentence).waitFor();
    await shown.look('session-kept');
    await button('Pin').click();
    const dialog = shown.page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('deposited as 9ABC');
    await shown.look('session-pin');
    await dialog.getByRole('button', { name: 'Pin', exact: true }).click();
    await panel()
      .getByText(/Pinned on \d{4}-\d\d-\d\d: deposited as 9ABC\. It is not deleted\./)
      .waitFor();
    await shown.look('session-pinned');
    await button('Unpin').click();
    await panel().getByText(sentence).waitFor();
  });

  it('is not shown without a rule', async () => {
    const cancelled = await shown.sessions.ended('Lysozyme, cancelled', 'cancelled');
    const response = shown.page.waitForResponse((answer) => answer.url().endsWith(`${cancelled}/retention`));
    await shown.go(`sessions/${cancelled}`);
    await (await response).finished();
    await shown.page.getByRole('heading', { name: 'Lysozyme, cancelled' }).waitFor();
    expect(await panel().count()).toBe(0);
  });
});
