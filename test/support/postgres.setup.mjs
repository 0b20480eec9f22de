// Jest's globalSetup of small and medium tests: one PostgreSQL for all stores of a run (docs/testing.md).
import './typescript.mjs';

export default async function startPostgres() {
  const { default: testing } = await import('../../libs/testing/src/index.ts');
  globalThis.fleetTestPostgres = await testing.startTestStores();
}
