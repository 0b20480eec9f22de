// Jest's globalSetup of the end-to-end tests: what all of them share.
import prepareStandalone from '../e2e/shared-standalone.setup.mjs';
import startBrowserServer from './browser-server.mjs';

export default async function setUp() {
  prepareStandalone();
  await startBrowserServer();
}
