// A test runner for Stryker that loads sources and specs once and switches the mutants on and off inside the process. Jest loads
// them again for every mutant and every spec file, and cannot stop at the first failure: many times the work for the same answer.
import fs from 'node:fs';
import { registerHooks } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { cachesOf } from './module-caches.mjs';
import { SpecCollection, runTests } from './spec-collection.mjs';

/** What instrumented code reads and writes: `activeMutant`, `currentTestId`, `mutantCoverage`, `hitCount`, `hitLimit`. */
const instrumented = () => (globalThis.__stryker__ ??= {});

const specsUnder = (place) =>
  place.endsWith('.ts')
    ? [place]
    : fs
        .readdirSync(place, { recursive: true })
        .filter((name) => name.endsWith('.spec.ts'))
        .map((name) => path.join(place, name))
        .sort();

/** Reading the knowledge takes longer than most tests of it. */
const knowledgeOnce = (specifier, context, next) =>
  specifier === '@fleet/knowledge'
    ? { url: new URL('knowledge-once.cjs', import.meta.url).href, format: 'commonjs', shortCircuit: true }
    : next(specifier, context);

class InProcessRunner {
  static inject = ['options'];
  #folders;
  #specs = new SpecCollection();
  #forget = () => undefined;
  /** How long each test took last, in milliseconds: the quick ones go first, for one failure is enough. */
  #times = new Map();

  constructor(options) {
    this.#folders = options.specFolders;
  }

  /** A module is loaded once, so a mutant of what runs while loading would stay unseen. */
  capabilities() {
    return { reloadEnvironment: false };
  }

  async init() {
    await import(pathToFileURL(path.resolve('test/support/typescript.mjs')));
    registerHooks({ resolve: knowledgeOnce });
    this.#forget = await cachesOf(async () => {
      for (const file of this.#folders.flatMap(specsUnder))
        await this.#specs.add(file, () => import(pathToFileURL(path.resolve(file))));
    });
  }

  async dryRun() {
    const results = [];
    await runTests(this.#specs.tests, {
      onTest: (test) => (instrumented().currentTestId = test?.id),
      onResult: ({ id, file }, failure, timeSpentMs) => {
        this.#times.set(id, timeSpentMs);
        return results.push({ id, name: id, fileName: path.resolve(file), timeSpentMs, ...statusOf(failure) });
      },
    });
    return { status: 'complete', tests: results, mutantCoverage: instrumented().mutantCoverage };
  }

  async mutantRun({ activeMutant, testFilter, hitLimit }) {
    this.#forget();
    Object.assign(instrumented(), { activeMutant: activeMutant.id, hitCount: hitLimit && 0, hitLimit });
    const wanted = new Set(testFilter ?? this.#specs.tests.map(({ id }) => id));
    let failed;
    let nrOfTests = 0;
    const tests = this.#specs.tests
      .filter(({ id }) => wanted.has(id))
      .sort((a, b) => this.#timeOf(a) - this.#timeOf(b));
    await runTests(tests, {
      onTest: () => undefined,
      onResult: (test, failure) => {
        nrOfTests += 1;
        if (failure !== undefined) failed = { test, failure };
        return failed === undefined;
      },
    });
    return outcomeOf({ failed, nrOfTests, endless: hitLimit !== undefined && instrumented().hitCount > hitLimit });
  }

  #timeOf({ id }) {
    return this.#times.get(id) ?? 0;
  }

  dispose() {
    instrumented().activeMutant = undefined;
  }
}

const textOf = (failure) => (failure instanceof Error ? failure.message : String(failure)) || 'failed without a word';

/** Stryker counts a test as 0 (success) or 1 (failed). */
const statusOf = (failure) => (failure === undefined ? { status: 0 } : { status: 1, failureMessage: textOf(failure) });

function outcomeOf({ failed, nrOfTests, endless }) {
  if (endless) return { status: 'timeout', reason: 'the mutated code ran a hundred times as often' };
  if (failed === undefined) return { status: 'survived', nrOfTests };
  return { status: 'killed', killedBy: [failed.test.id], failureMessage: textOf(failed.failure), nrOfTests };
}

export const strykerPlugins = [{ kind: 'TestRunner', name: 'in-process', injectableClass: InProcessRunner }];
