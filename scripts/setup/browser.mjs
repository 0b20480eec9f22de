// The browser of the dashboard's tests: the system's own Chromium, for a driver's own cannot be downloaded everywhere.
import { needDebianPackages, onPath } from './commands.mjs';
import { step } from './progress.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome'];

/** Where the system's browser lies, or undefined. */
export const browserProgram = () => onPath(names);

/** Installs Chromium where that needs no password; elsewhere the tests that need it are left out by name. */
export async function ensureBrowser() {
  if (browserProgram() !== undefined || process.getuid?.() !== 0 || onPath(['apt-get']) === undefined) return;
  await step('Chromium, for the tests of the dashboard', async () => {
    await needDebianPackages(['chromium', 'fonts-dejavu-core'], 'Chromium is missing.');
    return {};
  });
}
