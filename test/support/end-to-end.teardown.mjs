// Jest's globalTeardown of the end-to-end tests.
import removeFacility from '../e2e/shared-facility.teardown.mjs';
import stopBrowserServer from './stop-browser-server.mjs';

export default async function tearDown() {
  await stopBrowserServer();
  await removeFacility();
}
