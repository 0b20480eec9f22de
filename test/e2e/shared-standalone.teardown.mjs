// Jest's globalTeardown of the end-to-end tests: stops the installation that they shared, where one of them started it.
import fs from 'node:fs';
import { stopStandalone } from '../../scripts/setup/standalone.mjs';

export default async function stop() {
  const folder = process.env.FLEET_TEST_FACILITY;
  await stopStandalone(folder);
  fs.rmSync(folder, { recursive: true, force: true });
}
