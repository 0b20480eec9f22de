// Jest's globalTeardown of the end-to-end tests.
import removeStandalone from '../e2e/shared-standalone.teardown.mjs';
import stopBrowserServer from './stop-browser-server.mjs';

export default async function tearDown() {
  await stopBrowserServer();
  await removeStandalone();
}
