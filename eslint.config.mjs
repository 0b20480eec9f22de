import eslint from '@eslint/js';
import tseslint from 'typescript-eslint';

/** Size limits keep every file and function readable in one sitting; see CONTRIBUTING.md. */
const sizeLimits = {
  'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
  'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
  complexity: ['error', 10],
  'max-depth': ['error', 3],
  'max-params': ['error', 5],
};

const namedExports = [
  { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' },
  { selector: 'ExportAllDeclaration', message: 'Index files list names.' },
];
const noEnvironment = {
  selector: "MemberExpression[object.name='process'][property.name='env']",
  message: 'process.env is read in libs/platform/config alone.',
};

/** Test files share the modules of a worker: what one leaves in a module, the next one finds. */
const stateful = 'Keep this in an object that its user makes. A cache of pure results may stay: name its file below.';
const noModuleState = ['Program', 'Program > ExportNamedDeclaration'].flatMap((parent) => [
  { selector: `${parent} > VariableDeclaration[kind='let']`, message: stateful },
  {
    selector: `${parent} > VariableDeclaration > VariableDeclarator > NewExpression[callee.name=/^(Map|Set)$/][arguments.length=0]`,
    message: stateful,
  },
]);

/** What a test depends on beside what it tests: the clock, the machine, other tests, chance. */
const inLoop = ':matches(WhileStatement, DoWhileStatement, ForStatement) AwaitExpression';
const slept = 'Wait for an event, or poll the condition: eventually() of @fleet/testing.';
const timed =
  'An upper bound in time is for hangs: 60 s or more. Count what is done, or write a benchmark with a ratio.';
const changed = 'Pass the variables as an object: the environment of this process is that of the next test too.';
const elapsed =
  "CallExpression[callee.name='expect'] > BinaryExpression[operator='-'] > CallExpression[callee.property.name='now']";
const asserted = 'CallExpression[callee.property.name=/^toBeLessThan(OrEqual)?$/][arguments.0.value<60000]';
const steadyTests = [
  {
    selector: `AwaitExpression:not(${inLoop}) > CallExpression[callee.name=/^(sleep|pause|delay)$/][arguments.0.value>=10]`,
    message: slept,
  },
  {
    selector: `AwaitExpression:not(${inLoop}) > NewExpression[callee.name='Promise'] CallExpression[callee.name='setTimeout'][arguments.1.value>=10]`,
    message: slept,
  },
  {
    selector: `${asserted} > MemberExpression > ${elapsed}`,
    message: timed,
  },
  {
    selector: "CallExpression[callee.property.name='listen'][arguments.0.value>0]",
    message: 'Listen on 0 and read the port back; where it must be known before, ask freePort() of @fleet/testing.',
  },
  { selector: "AssignmentExpression[left.object.name='process'][left.property.name='env']", message: changed },
  {
    selector: "AssignmentExpression[left.object.object.name='process'][left.object.property.name='env']",
    message: changed,
  },
  {
    selector:
      "UnaryExpression[operator='delete'][argument.object.object.name='process'][argument.object.property.name='env']",
    message: changed,
  },
  {
    selector:
      "CallExpression[callee.property.name=/^(assign|deleteProperty|set|defineProperty)$/][arguments.0.object.name='process'][arguments.0.property.name='env']",
    message: changed,
  },
];
const noChance = {
  selector: "MemberExpression[object.name='Math'][property.name='random']",
  message: 'Draw from a generator whose seed is printed (test/fuzz/mutations.ts).',
};

export default tseslint.config(
  { ignores: ['dist', 'node_modules', 'docker', 'coverage'] },
  {
    files: ['apps/**/*.{ts,tsx}', 'libs/**/*.ts', 'test/**/*.ts'],
    extends: [eslint.configs.recommended, ...tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      ...sizeLimits,
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      'no-restricted-syntax': ['error', ...namedExports, noEnvironment, ...noModuleState],
    },
  },
  {
    files: ['**/*.spec.ts', '**/*.medium-spec.ts', 'test/**/*.ts', 'libs/testing/**/*.ts'],
    rules: { 'max-lines-per-function': 'off', '@typescript-eslint/no-non-null-assertion': 'off' },
  },
  {
    // A handler of React may be a promise: whoever starts it handles its failure. The build reads its own environment.
    files: ['apps/dashboard/**/*.{ts,tsx}'],
    rules: { '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }] },
  },
  {
    // The words of the project are many, and this file lists them.
    files: ['libs/domain/contracts/src/index.ts'],
    rules: { 'max-lines': 'off' },
  },
  {
    // Made from the description of the API, as that says it.
    files: ['libs/adapters/api-client/src/api.ts'],
    rules: { 'max-lines': 'off', '@typescript-eslint/no-redundant-type-constituents': 'off' },
  },
  {
    // Results of pure functions, and what a page of the dashboard or a process of phx has once.
    files: [
      'apps/cli/src/state/write-whole.ts',
      'apps/dashboard/src/api/calls.ts',
      'apps/dashboard/src/api/session-key.ts',
      'apps/dashboard/src/format/times.ts',
      'apps/dashboard/src/upload/use-uploads.ts',
      'libs/domain/contracts/src/check.ts',
      'libs/domain/files/src/name-glob.ts',
      'libs/domain/files/src/search/sequence-likeness.ts',
      'libs/domain/manifest/src/csv-columns.ts',
    ],
    rules: { 'no-restricted-syntax': ['error', ...namedExports, noEnvironment] },
  },
  {
    // The probe is a program of its own: what is installed in its container shows in the environment there.
    files: [
      'libs/platform/config/**/*.ts',
      'libs/adapters/attempt-runner/src/probe-programs.ts',
      'libs/adapters/attempt-runner/src/run-trial.ts',
      'apps/dashboard/vite.config.ts',
    ],
    rules: { 'no-restricted-syntax': ['error', namedExports[1], ...noModuleState] },
  },
  {
    files: ['test/**/*.ts', 'libs/testing/**/*.ts', '**/*.medium-spec.ts'],
    rules: { 'no-restricted-syntax': ['error', namedExports[1], noChance] },
  },
  {
    files: ['**/*.spec.ts', '**/*.medium-spec.ts', '**/*.e2e-spec.ts'],
    rules: { 'no-restricted-syntax': ['error', namedExports[1], ...steadyTests, noChance] },
  },
  {
    // What draws the seeds; benchmarks; faults of a cluster, whose order no seed repeats.
    files: ['test/bench/**', 'test/cluster-chaos/**', 'test/loop/seeded-kills.ts', 'test/loop/idle-stages.ts'],
    rules: { 'no-restricted-syntax': ['error', namedExports[1]] },
  },
  {
    files: ['**/*.mjs', '**/*.cjs'],
    extends: [eslint.configs.recommended],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        fetch: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        setInterval: 'readonly',
        clearInterval: 'readonly',
        Buffer: 'readonly',
        module: 'readonly',
        AbortSignal: 'readonly',
        AbortController: 'readonly',
        TextDecoder: 'readonly',
      },
    },
    rules: sizeLimits,
  },
);
