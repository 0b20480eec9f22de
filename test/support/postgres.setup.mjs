// Jest's globalSetup of small and medium tests: one PostgreSQL for all stores of a run (docs/testing.md), and for small tests a temporary folder.
import './typescript.mjs';
import { mkdtempSync } from 'node:fs';
import { testSize } from './test-sizes.mjs';

export default async function startPostgres() {
  const { default: testing } = await import('../../libs/testing/src/index.ts');
  globalThis.fleetTestPostgres = await testing.startTestStores();
  if (testSize.name !== 'small') return;
  globalThis.fleetTestFolder = mkdtempSync(`${testing.memoryFolder()}/fleet-small-`);
  process.env.TMPDIR = globalThis.fleetTestFolder;
}
