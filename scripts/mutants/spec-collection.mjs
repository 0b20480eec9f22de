// The part of Jest's interface that the domain's small specs use. Specs are loaded once and run as often as there are mutants.
import { expect } from 'expect';
import { bind } from 'jest-each';
import { performance } from 'node:perf_hooks';

const block = (parent, title) => ({ parent, title, beforeAll: [], beforeEach: [], afterEach: [], afterAll: [] });

/** The blocks around a test, the outermost first. */
const chainOf = (test) => {
  const chain = [];
  for (let each = test.block; each !== undefined; each = each.parent) chain.unshift(each);
  return chain;
};

/** Puts `describe`, `it`, `expect` and the hooks into the global scope; a file that is loaded then leaves its tests here. */
export class SpecCollection {
  /** @type {{ id: string, file: string, block: ReturnType<typeof block>, body: () => unknown }[]} */
  tests = [];
  #file = '';
  #block = block(undefined, '');
  #ids = new Map();

  constructor() {
    const describe = (title, body) => {
      const outer = this.#block;
      this.#block = block(outer, title);
      body();
      this.#block = outer;
    };
    const it = (title, body) => this.tests.push({ ...this.#named(title), file: this.#file, block: this.#block, body });
    describe.each = bind(describe, false, false);
    it.each = bind(it, false, true);
    Object.assign(globalThis, { describe, it, test: it, expect });
    for (const hook of ['beforeAll', 'beforeEach', 'afterEach', 'afterAll'])
      globalThis[hook] = (body) => this.#block[hook].push(body);
  }

  /** @param file how a report names it @param load imports it */
  async add(file, load) {
    this.#file = file;
    this.#block = block(undefined, '');
    await load();
  }

  /** A test is known by its file and titles, counted where a title comes twice. */
  #named(title) {
    const titles = [...chainOf({ block: this.#block }).map((each) => each.title), title].filter((each) => each !== '');
    const name = `${this.#file}: ${titles.join(' › ')}`;
    const count = (this.#ids.get(name) ?? 0) + 1;
    this.#ids.set(name, count);
    return { id: count === 1 ? name : `${name} (${count})` };
  }
}

/**
 * Runs tests one after another, their hooks as Jest does; `onResult` says whether to go on.
 * @param onTest is told which test begins; code that hooks run belongs to none
 */
export async function runTests(tests, { onTest, onResult }) {
  const begun = new Set();
  for (const test of tests) {
    const from = performance.now();
    const failure = await failureOf(test, begun, onTest);
    if (!onResult(test, failure, performance.now() - from)) break;
  }
  for (const each of [...begun].reverse()) for (const hook of each.afterAll) await hook();
}

async function failureOf(test, begun, onTest) {
  const chain = chainOf(test);
  try {
    for (const each of chain.filter((one) => !begun.has(one))) {
      begun.add(each);
      for (const hook of each.beforeAll) await hook();
    }
    onTest(test);
    for (const each of chain) for (const hook of each.beforeEach) await hook();
    await test.body();
    return undefined;
  } catch (error) {
    return error;
  } finally {
    for (const each of chain.reverse()) for (const hook of each.afterEach) await hook();
    onTest(undefined);
  }
}
