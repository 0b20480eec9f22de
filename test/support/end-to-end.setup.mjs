// Jest's globalSetup of the end-to-end tests: what all of them share.
import prepareFacility from '../e2e/shared-facility.setup.mjs';
import startBrowserServer from './browser-server.mjs';

export default async function setUp() {
  prepareFacility();
  await startBrowserServer();
}
