// Jest's globalTeardown of small and medium tests.
export default async function stopPostgres() {
  await globalThis.fleetTestPostgres?.stop();
}
