// The checks for changed files: the static ones, and the small tests that import a changed file.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { checkout } from '../setup/paths.mjs';
import { SetupProblem } from '../setup/progress.mjs';
import { tool } from './checks.mjs';
import { jest, relatedJest } from './jest.mjs';

const git = (...args) => {
  try {
    return execFileSync('git', args, { cwd: checkout, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    throw new SetupProblem(`git ${args[0]} failed: ${String(error.stderr).trim()}`, 'Is --since a commit or a branch?');
  }
};
const lines = (text) => text.split('\0').filter((line) => line !== '');

const differing = (since) => [
  ...lines(git('diff', '--name-only', '--relative', '--diff-filter=d', '-z', since, '--')),
  ...lines(git('ls-files', '--others', '--exclude-standard', '-z')),
];

/** Files that differ from a commit. Without a commit: uncommitted files, or else those that the last commit changed. */
export function changedFiles(since) {
  if (since !== undefined) return { since, files: differing(since) };
  const files = differing('HEAD');
  return files.length > 0 ? { since: 'HEAD', files } : { since: 'HEAD~1', files: differing('HEAD~1') };
}

const cache = (name) => path.join('node_modules/.cache', name);

/** Files that tests read instead of importing. */
const readByTests = (file) => /^(knowledge|jest\.config|package|tsconfig)/.test(file);

export function checksOf(files) {
  const code = files.filter((file) => /\.(tsx?|mjs|cjs)$/.test(file));
  const types = ['--noEmit', '-p', 'tsconfig.json', '--incremental', '--tsBuildInfoFile', cache('types.tsbuildinfo')];
  return [
    tool('format', 'prettier', '--check', '--log-level=warn', '--ignore-unknown', ...files),
    tool('types', 'tsc', ...types),
    ...(files.some((file) => file.startsWith('apps/dashboard/'))
      ? [tool('types of the dashboard', 'tsc', '-p', 'apps/dashboard/tsconfig.json')]
      : []),
    ...(code.length === 0
      ? []
      : [
          tool('lint', 'oxlint', '--deny-warnings', '--no-error-on-unmatched-pattern', ...code),
          tool('boundaries', 'depcruise', 'apps', 'libs', 'test', '--config', '.dependency-cruiser.cjs'),
          tool('cycles of folders', 'depcruise', 'apps', 'libs', '--config', '.dependency-cruiser.folders.cjs'),
        ]),
    files.some(readByTests) ? jest('small') : relatedJest(code),
  ];
}
