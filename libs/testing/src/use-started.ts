/**
 * What a spec starts before its tests and stops after them: again for each test, or once for those of the file or
 * `describe`. It can be used only inside tests and hooks.
 */
export const useStarted = <T extends { stop: () => unknown }>(per: 'test' | 'file', start: () => Promise<T> | T): T => {
  let started: T | undefined;
  const [before, after] = per === 'test' ? [beforeEach, afterEach] : [beforeAll, afterAll];
  before(async () => {
    started = await start();
  });
  after(async () => {
    await started?.stop();
    started = undefined;
  });
  return new Proxy({} as T, {
    get: (_, name): unknown => {
      if (started === undefined) throw new Error(`${String(name)} is used before the start or after the stop`);
      return Reflect.get(started, name);
    },
    // Its own methods set their members through this object too.
    set: (_, name, value): boolean => started !== undefined && Reflect.set(started, name, value),
  });
};
