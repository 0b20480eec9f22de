// What the suite on a cluster depends on: one list, its digest, and with which digest the suite last passed on this machine.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { cacheRoot, checkout } from '../setup/paths.mjs';

/** Files and folders of the checkout. What else the fleet is made of, `npm test` shows. */
export const clusterContents = [
  'helm',
  'docker',
  'package-lock.json',
  'apps/executor-worker',
  'libs/adapters/attempt-runner',
  'libs/adapters/kubernetes-backend',
  'libs/platform/untrusted-files',
  'scripts/checks/cluster-contents.mjs',
  'scripts/cluster',
  'scripts/cluster.mjs',
  'scripts/demo-cluster',
  'scripts/demo-cluster.mjs',
  'scripts/images',
  'scripts/images.mjs',
  'scripts/test-cluster.mjs',
  'test/chart',
  'test/cluster-chaos',
  'test/cluster-e2e',
  'test/images',
  'test/kubernetes/real-api-server.cluster-spec.ts',
  'test/kueue',
];

/** Documents, tests of other suites, and what Python leaves. */
const ignored = [
  /\.md$/,
  /\.(spec|medium-spec|e2e-spec|long-spec|bench)\.ts$/,
  /^docker\/open-phenix\/tests\//,
  /(^|\/)(__pycache__|\.pytest_cache|[^/]+\.egg-info)\//,
];

/** Whether a file of the checkout is among the contents. @public for its test */
export const isClusterContent = (file, contents = clusterContents) =>
  contents.some((name) => file === name || file.startsWith(`${name}/`)) && !ignored.some((one) => one.test(file));

function filesOf(root, name) {
  if (!fs.statSync(path.join(root, name)).isDirectory()) return [name];
  return fs
    .readdirSync(path.join(root, name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath ?? entry.path, entry.name)));
}

/** SHA-256 over names and contents, 24 digits of it. */
export function clusterDigest(root = checkout, contents = clusterContents) {
  const hash = createHash('sha256');
  const files = contents.flatMap((name) => filesOf(root, name)).filter((file) => isClusterContent(file, contents));
  for (const file of files.sort()) hash.update(`\0${file}\0`).update(fs.readFileSync(path.join(root, file)));
  return hash.digest('hex').slice(0, 24);
}

const passedFile = (cache) => path.join(cache, 'passed', 'cluster-suite.json');

/** `{digest, on, passed}` of the last time it passed on this machine: the day (UTC) and the number of tests. Undefined: never. */
export function readPassed(cache = cacheRoot) {
  const file = passedFile(cache);
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : undefined;
}

/** Notes that the suite has passed with this digest today. */
export function writePassed(digest, passed, cache = cacheRoot) {
  const file = passedFile(cache);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const partial = `${file}.${process.pid}`;
  fs.writeFileSync(partial, `${JSON.stringify({ digest, passed, on: new Date().toISOString().slice(0, 10) })}\n`);
  fs.renameSync(partial, file);
}
