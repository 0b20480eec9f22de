// The inputs of the cluster suite: one list, and its digest.
import fs from 'node:fs';
import path from 'node:path';
import { checkout } from '../setup/paths.mjs';
import { digestOf, filesBelow } from './passes.mjs';

/** Files and folders of the checkout. `npm test` covers the rest of the fleet. */
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

/** Documents, and tests of other suites. */
const ignored = [/\.md$/, /\.(spec|medium-spec|e2e-spec|long-spec|bench)\.ts$/, /^docker\/open-phenix\/tests\//];

/** Whether a file of the checkout belongs to the contents. @public for its test */
export const isClusterContent = (file, contents = clusterContents) =>
  contents.some((name) => file === name || file.startsWith(`${name}/`)) && !ignored.some((one) => one.test(file));

/** The npm packages that an image contains. */
const shipped = (lock) =>
  Object.entries(JSON.parse(lock).packages ?? {}).filter(([name, { dev }]) => name !== '' && dev !== true);

const contentOf = (root, file) => {
  const content = fs.readFileSync(path.join(root, file));
  return file === 'package-lock.json' ? JSON.stringify(shipped(content)) : content;
};

/** One digest of all contents. */
export function clusterDigest(root = checkout, contents = clusterContents) {
  const files = contents
    .flatMap((name) => filesBelow(path.join(root, name)).map((below) => path.join(name, below)))
    .filter((file) => isClusterContent(file, contents));
  return digestOf(files.map((file) => [file, contentOf(root, file)]));
}
