// jest-light-runner has no time limit: a test or a hook that never ends would stop the whole run without a name.
import { format } from 'node:util';
import { testSize } from './test-sizes.mjs';

/** Real timers, also in tests that have others. */
const { setTimeout, clearTimeout, test } = globalThis;

/** The title of one row of a table: "%s" is its first value. */
const titleOf = (name, row) => format(name, ...row.slice(0, name.match(/%[a-zA-Z]/g)?.length ?? 0));

/** The body of a test or a hook, which fails with this name when it hangs. */
const limited =
  (name, body) =>
  async (...args) => {
    let timer;
    const hung = new Promise((_, reject) => {
      const reason = `"${titleOf(name, args)}" has not ended after ${testSize.hungAfter} min`;
      timer = setTimeout(() => reject(new Error(reason)), testSize.hungAfter * 60_000);
    });
    try {
      return await Promise.race([body(...args), hung]);
    } finally {
      clearTimeout(timer);
    }
  };

const define = (original) =>
  Object.assign((name, body) => original(name, limited(name, body)), {
    each:
      (...table) =>
      (name, body) =>
        original.each(...table)(name, limited(name, body)),
  });

globalThis.test = Object.assign(define(test), { only: define(test.only), skip: test.skip, todo: test.todo });
globalThis.it = globalThis.test;

for (const hook of ['beforeAll', 'beforeEach', 'afterEach', 'afterAll']) {
  const original = globalThis[hook];
  globalThis[hook] = (body) => original(limited(hook, body));
}
