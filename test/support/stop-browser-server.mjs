// Jest's global teardown beside browser-server.mjs.
export default async function stopBrowserServer() {
  await globalThis.fleetBrowserServer?.close();
}
