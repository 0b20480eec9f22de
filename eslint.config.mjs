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
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' },
        { selector: 'ExportAllDeclaration', message: 'Index files list names.' },
        {
          selector: "MemberExpression[object.name='process'][property.name='env']",
          message: 'process.env is read in libs/platform/config alone.',
        },
      ],
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
    // The probe is a program of its own: what is installed in its container shows in the environment there.
    files: [
      'libs/platform/config/**/*.ts',
      'libs/adapters/attempt-runner/src/probe-programs.ts',
      'libs/adapters/attempt-runner/src/run-trial.ts',
      'apps/dashboard/vite.config.ts',
      'test/**/*.ts',
      'libs/testing/**/*.ts',
      '**/*.medium-spec.ts',
    ],
    rules: {
      'no-restricted-syntax': ['error', { selector: 'ExportAllDeclaration', message: 'Index files list names.' }],
    },
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
