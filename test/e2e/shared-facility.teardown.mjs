// Jest's globalTeardown of the end-to-end tests: stops the facility that they shared, where one of them started it.
import fs from 'node:fs';
import { stopFacility } from '../../scripts/setup/facility.mjs';

export default async function stop() {
  const folder = process.env.FLEET_TEST_FACILITY;
  await stopFacility(folder);
  fs.rmSync(folder, { recursive: true, force: true });
}
