// Jest's globalTeardown of small and medium tests.
import { rmSync } from 'node:fs';

export default async function stopPostgres() {
  await globalThis.fleetTestPostgres?.stop();
  if (globalThis.fleetTestFolder !== undefined) rmSync(globalThis.fleetTestFolder, { recursive: true, force: true });
}
