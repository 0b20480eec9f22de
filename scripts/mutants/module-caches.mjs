// What a module remembers from call to call would outlast a mutant, hide the next one or be blamed on it. A map that is empty once everything
// is loaded is taken for such a cache.

/**
 * Loads, and finds the caches of what was loaded.
 * @returns empties them
 */
export async function cachesOf(load) {
  const OwnMap = globalThis.Map;
  const made = [];
  globalThis.Map = class extends OwnMap {
    constructor(...entries) {
      super(...entries);
      made.push(this);
    }
  };
  try {
    await load();
  } finally {
    globalThis.Map = OwnMap;
  }
  const caches = made.filter(({ size }) => size === 0);
  return () => caches.forEach((cache) => cache.clear());
}
