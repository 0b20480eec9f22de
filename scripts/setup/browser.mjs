// The browser of the dashboard's tests: the system's own Chromium, because a driver's own browser cannot be downloaded everywhere.
import { needDebianPackages, onPath } from './commands.mjs';
import { step } from './progress.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome'];

/** Path of the system's browser, or undefined. */
export const browserProgram = () => onPath(names);

/** Installs Chromium if that needs no password; otherwise the run lists the tests that need it as left out. */
export async function ensureBrowser() {
  if (browserProgram() !== undefined || process.getuid?.() !== 0 || onPath(['apt-get']) === undefined) return;
  await step('Chromium, for the tests of the dashboard', async () => {
    await needDebianPackages(['chromium', 'fonts-dejavu-core'], 'Chromium is missing.');
    return {};
  });
}
