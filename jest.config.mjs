import { libFolders } from './scripts/setup/tiers.mjs';

// One configuration for both sizes: TEST_SIZE=small (default; no I/O beyond temporary folders) or medium (real Redis and processes) or e2e (the whole service, real programs).
const size = process.env.TEST_SIZE ?? 'small';
const pattern = {
  small: '\\.spec\\.ts$',
  medium: '\\.medium-spec\\.ts$',
  e2e: '\\.e2e-spec\\.ts$',
  bench: '\\.bench\\.ts$',
}[size];
if (pattern === undefined) throw new Error(`TEST_SIZE must be small, medium, e2e or bench, not ${size}`);

/** @type {import('jest').Config} */
export default {
  testRegex: pattern,
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/test'],
  // A lib is found by its name, in whichever tier it lies.
  moduleNameMapper: { '^@fleet/([^/]+)$': libFolders.map((folder) => `<rootDir>/${folder}/$1/src`) },
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
  testTimeout: size === 'small' ? 10_000 : { medium: 300_000, e2e: 1_200_000, bench: 900_000 }[size],
  maxWorkers: 2,
  // Modules that Node's vm has loaded stay in memory, some 10 MB a file: a worker that holds this much makes way for a new one between two files.
  workerIdleMemoryLimit: '700MB',
};
