// The images of the project: the Dockerfile, the input files and the base image of each.
import fs from 'node:fs';
import path from 'node:path';
import { checkout } from '../setup/paths.mjs';
import { importClosure } from './content-key.mjs';

const kit = ['requirements.txt', 'pyproject.toml', 'install.sh', 'README.md', 'open_phenix'];
const inPods = ['run-attempt.ts', 'probe-programs.ts', 'run-trial.ts'].map(
  (file) => `libs/adapters/attempt-runner/src/${file}`,
);

/**
 * `inputs` decide whether an image is current. `bases` are the external images of its FROM lines, `uses` the images of this list that
 * its Dockerfile copies from or builds on, by build argument. `compiled`: the build receives dist, compiled once outside.
 */
export const images = {
  service: {
    dockerfile: 'docker/Dockerfile',
    context: '.',
    target: 'service',
    bases: ['node', 'debian'],
    uses: {},
    compiled: true,
    inputs: () => [
      ...['package-lock.json', 'package.json', '.dockerignore', 'docker/service', 'dist', 'knowledge'],
      'libs/adapters/file-inspection/requirements.txt',
    ],
  },
  runner: {
    dockerfile: 'docker/Dockerfile',
    context: '.',
    target: 'runner',
    bases: ['node', 'debian'],
    uses: {},
    compiled: true,
    inputs: () => ['tsconfig.json', 'tsconfig.build.json', '.dockerignore', 'docker/runner', ...importClosure(inPods)],
  },
  'open-phenix': {
    dockerfile: 'docker/open-phenix/Dockerfile',
    context: 'docker/open-phenix',
    bases: ['debian'],
    uses: { RUNNER_IMAGE: 'runner' },
    inputs: () => kit.map((name) => `docker/open-phenix/${name}`),
  },
  workstation: {
    dockerfile: 'docker/workstation/Dockerfile',
    context: 'docker/workstation',
    bases: [],
    uses: { OPEN_PHENIX_IMAGE: 'open-phenix', SERVICE_IMAGE: 'service' },
    inputs: () => [],
  },
  postgres: {
    dockerfile: 'docker/postgres/Dockerfile',
    context: 'docker/postgres',
    bases: ['debian'],
    uses: {},
    inputs: () => ['docker/postgres'],
  },
  redis: {
    dockerfile: 'docker/redis/Dockerfile',
    context: 'docker/redis',
    bases: ['debian'],
    uses: {},
    inputs: () => [],
  },
};

/** These images and those they build on, in build order. */
export function withThoseUsed(names) {
  const ordered = new Set();
  const add = (name) => {
    for (const used of Object.values(images[name].uses)) add(used);
    ordered.add(name);
  };
  names.forEach(add);
  return [...ordered];
}

export const projectVersion = () => JSON.parse(fs.readFileSync(path.join(checkout, 'package.json'), 'utf8')).version;

/** `localhost/phenix-fleet/service:0.1.0` */
export const referenceOf = (name, tag) => `localhost/phenix-fleet/${name}:${tag}`;
