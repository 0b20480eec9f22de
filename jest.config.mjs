import { libFolders } from './scripts/setup/tiers.mjs';
import { testSize } from './test/support/test-sizes.mjs';

// One configuration for all sizes of tests: TEST_SIZE names one (test/support/test-sizes.mjs).

/**
 * Plain Node, which loads each module once per worker: a third of the time that contexts take. Test files share the state of modules,
 * so they must leave none behind.
 */
const plainNode = {
  runner: '<rootDir>/test/support/light-runner.mjs',
  setupFiles: ['<rootDir>/test/support/typescript.mjs'],
  setupFilesAfterEnv: ['<rootDir>/test/support/hung-tests.mjs', '<rootDir>/test/support/seeded-properties.mjs'],
  transform: {},
};

/** Jest's own runner, for `npm run test:long` and debuggers: each file has a context and modules of its own. */
const apart = {
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        swcrc: false,
        jsc: {
          target: 'es2023',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
        },
        module: { type: 'commonjs' },
        sourceMaps: 'inline',
      },
    ],
  },
  testTimeout: testSize.hungAfter * 60_000,
  // Modules that Node's vm has loaded stay in memory, some 10 MB a file: a worker that holds this much makes way for a new one between two files.
  workerIdleMemoryLimit: '700MB',
};

/** @type {import('jest').Config} */
export default {
  testRegex: `${RegExp.escape(testSize.suffix)}$`,
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/test'],
  // A lib is found by its name, in whichever tier it lies.
  moduleNameMapper: {
    '^@fleet/contracts/([^/]+)$': '<rootDir>/libs/domain/contracts/src/$1',
    '^@fleet/([^/]+)$': libFolders.map((folder) => `<rootDir>/${folder}/$1/src`),
  },
  maxWorkers: 2,
  ...(process.env.FLEET_TEST_APART === '1' ? apart : plainNode),
  ...(['small', 'medium', 'bench'].includes(testSize.name) && {
    globalSetup: '<rootDir>/test/support/postgres.setup.mjs',
    globalTeardown: '<rootDir>/test/support/postgres.teardown.mjs',
  }),
  // End-to-end tests share a browser and an installation.
  ...(testSize.name === 'e2e' && {
    globalSetup: '<rootDir>/test/support/end-to-end.setup.mjs',
    globalTeardown: '<rootDir>/test/support/end-to-end.teardown.mjs',
  }),
};
