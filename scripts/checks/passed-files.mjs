// Test files that passed on this machine with all that they can read as it is now: `npm test` names them and does not run them again.
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { kubeconfigFile } from '../cluster/layout.mjs';
import { browserProgram } from '../setup/browser.mjs';
import { answerOf } from '../setup/commands.mjs';
import { checkout, openProgramsDirectory, projectNode } from '../setup/paths.mjs';
import { filesBelow, passedDirectory, readPassed, writePassed } from './unchanged.mjs';

const isTest = (file) => /(\.spec|-spec|\.bench)\.tsx?$/.test(file) || file.startsWith('docker/open-phenix/tests/');
const isDocument = (file) => file.startsWith('docs/') || file.endsWith('.md');
const isDashboard = (file) => file.startsWith('apps/dashboard/');

/** What Git has of the checkout, and what it would take: build output and packages follow from these. Undefined without Git. */
function trackedFiles(root) {
  try {
    const list = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
    const names = execFileSync('git', list, { cwd: root, encoding: 'utf8', maxBuffer: 64 << 20, stdio: 'pipe' });
    return names.split('\0').filter((name) => name !== '' && fs.existsSync(path.join(root, name)));
  } catch (error) {
    process.stdout.write(
      `Every test file runs: Git does not list this checkout (${String(error.message).split('\n')[0]}).\n`,
    );
    return undefined;
  }
}

const hashOf = (file) =>
  createHash('sha256')
    .update(fs.lstatSync(file).isSymbolicLink() ? fs.readlinkSync(file) : fs.readFileSync(file))
    .digest('hex');

/** The versions of what the tests start that is not of the checkout, and the contents of the folders of test data. */
function surroundings() {
  const data = ['DATA', 'LOGS', 'SCENARIOS'].map((name) => process.env[`PHENIX_FLEET_TEST_${name}`]);
  const contents = data.map((folder) =>
    folder === undefined ? null : filesBelow(folder).map((file) => [file, hashOf(path.join(folder, file))]),
  );
  const versions = [
    [projectNode(), '--version'],
    ['redis-server', '--version'],
    [browserProgram() ?? 'chromium', '--version'],
    [path.join(openProgramsDirectory, 'venv/bin/python'), '-VV'],
  ].map(([command, flag]) => answerOf(command, [flag]) ?? null);
  return [contents, versions, process.arch, process.platform];
}

/**
 * What a test file can read: the checkout without other tests; documents for those that read them alone, the dashboard for those
 * that open it in a browser or run on what is built of everything.
 */
function canRead(file, { late, text }) {
  const readsDocuments = /^test\/(chart|docs)\//.test(file);
  const readsDashboard = late || /@needs chromium/.test(text);
  return (name) =>
    name === file || !(isTest(name) || (isDocument(name) && !readsDocuments) || (isDashboard(name) && !readsDashboard));
}

const memoryOf = (file) => path.join(passedDirectory, `${file.replaceAll(/[^\w.-]+/g, '+')}.json`);

/**
 * What is known of these test files before they run.
 * @param files as `testFiles` gives them
 * @returns `before`: those that need not run, with how many tests passed and when; `remember(file, passed)` keeps that one of the
 *   others has passed now. FLEET_TEST_AGAIN=1: all run; what passes is remembered. Without Git, and for files that run on a cluster that
 *   is not the project's own, nothing is known and nothing is kept.
 */
export function passedFiles(files, root = checkout) {
  const tracked = trackedFiles(root);
  if (tracked === undefined) return { before: [], remember: () => undefined };
  const hashes = tracked.map((name) => [name, hashOf(path.join(root, name))]);
  const around = JSON.stringify(surroundings());
  const keyOf = (each) => {
    const text = fs.readFileSync(path.join(root, each.file), 'utf8');
    const reads = canRead(each.file, { ...each, text });
    const all = hashes.filter(([name]) => reads(name));
    return createHash('sha256').update(around).update(JSON.stringify(all)).digest('hex');
  };
  const isForeign = process.env.KUBECONFIG !== undefined && process.env.KUBECONFIG !== kubeconfigFile;
  const known = files.filter(({ late }) => !(late && isForeign));
  const keys = new Map(known.map((each) => [each.file, keyOf(each)]));
  const again = process.env.FLEET_TEST_AGAIN === '1';
  const before = [...keys].flatMap(([file, key]) => {
    const kept = again ? undefined : readPassed(memoryOf(file));
    return kept?.key === key ? [{ file, passed: kept.passed, on: kept.on }] : [];
  });
  const remember = (file, passed) => {
    const key = keys.get(file);
    if (key !== undefined) writePassed(memoryOf(file), { key, passed });
  };
  return { before, remember };
}
