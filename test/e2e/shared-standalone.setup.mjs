// Jest's globalSetup of the end-to-end tests: prepares the folder of the installation that they share. The first test that needs the installation starts it.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export default function prepare() {
  // The environment is how Jest hands a value from here to its workers.
  process.env.FLEET_TEST_FACILITY = fs.mkdtempSync(path.join(os.tmpdir(), 'fleet-e2e-shared-'));
}
