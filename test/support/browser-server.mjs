// Jest's global setup of the dashboard's tests: one Chromium for all of them. Each file connects to it and opens contexts of its own.
import { chromium } from 'playwright-core';
import { browserProgram } from '../../scripts/setup/browser.mjs';

/** A signal ends Jest as usual, and the browser with it, which ends when nothing holds its pipe. */
const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
/** 3D is drawn by the processor. */
const args = ['--no-sandbox', '--enable-unsafe-swiftshader'];

/** Where no browser is installed, each test that needs one fails by name. */
export default async function startBrowserServer() {
  const executablePath = browserProgram();
  if (executablePath === undefined) return;
  globalThis.fleetBrowserServer = await chromium.launchServer({ executablePath, args, ...signals });
  process.env.FLEET_TEST_BROWSER = globalThis.fleetBrowserServer.wsEndpoint();
}
