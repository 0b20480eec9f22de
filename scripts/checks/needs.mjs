// What some test files need of the machine. A file says so by naming it; the runner leaves it out by name where it is missing.
import fs from 'node:fs';
import path from 'node:path';
import { onPath } from '../setup/commands.mjs';
import { browserProgram } from '../setup/browser.mjs';
import { checkout } from '../setup/paths.mjs';
import { hasLocalModel } from '../setup/local-model.mjs';
import { clientPython } from '../setup/python-client.mjs';
import { kubeconfigFile } from '../cluster/layout.mjs';

const isRoot = () => process.getuid?.() === 0;
const commandsMet = (...names) => names.every((name) => onPath([name]) !== undefined);

const needs = [
  {
    mark: /PHENIX_FLEET_TEST_DATA/,
    met: () => Boolean(process.env.PHENIX_FLEET_TEST_DATA),
    why: 'PHENIX_FLEET_TEST_DATA is not set (a folder with the test data sets)',
  },
  {
    mark: /PHENIX_FLEET_TEST_LOGS/,
    met: () => Boolean(process.env.PHENIX_FLEET_TEST_LOGS),
    why: 'PHENIX_FLEET_TEST_LOGS is not set (a folder with real program logs)',
  },
  {
    mark: /PHENIX_FLEET_TEST_SCENARIOS/,
    met: () => Boolean(process.env.PHENIX_FLEET_TEST_SCENARIOS),
    why: 'PHENIX_FLEET_TEST_SCENARIOS is not set (a folder with recorded decision requests)',
  },
  { mark: /@needs root/, met: isRoot, why: 'it has to run as root' },
  { mark: /@needs linux/, met: () => process.platform === 'linux', why: 'it needs Linux (/proc)' },
  {
    mark: /@needs chromium/,
    met: () => browserProgram() !== undefined,
    why: 'chromium is not on PATH (Debian: apt-get install chromium)',
  },
  {
    mark: /@needs python-client/,
    met: () => clientPython() !== undefined,
    why: 'the Python of the client is not installed (npm test does it)',
  },
  {
    mark: /@needs local-model/,
    met: hasLocalModel,
    why: 'the local model is not installed (npm test does it, on Linux with an x64 processor)',
  },
  {
    mark: /@needs buildah/,
    met: () => isRoot() && commandsMet('buildah'),
    why: 'it builds images: it has to run as root, with buildah',
    late: true,
  },
  {
    mark: /@needs cluster(?!-)/,
    met: () => Boolean(process.env.KUBECONFIG),
    why: 'KUBECONFIG is not set (npm run cluster:up, or a cluster of yours; npm test starts one)',
    late: true,
  },
  {
    mark: /@needs cluster-parts/,
    met: () => process.env.KUBECONFIG === kubeconfigFile,
    why: "it stops and starts parts of the cluster: it needs the project's own (npm run cluster:up)",
    late: true,
  },
  {
    mark: /@needs cluster-tools/,
    met: () => commandsMet('helm', 'kubeconform', 'kubectl', 'promtool'),
    why: 'helm, kubeconform, kubectl or promtool is not on PATH (eval "$(node scripts/cluster.mjs env)"; npm test builds them)',
    late: true,
  },
  {
    mark: /@needs go-programs/,
    met: () => commandsMet('go'),
    why: 'Go is not on PATH: it builds a program that the benchmark needs, which takes minutes the first time',
  },
  {
    mark: /@needs prometheus/,
    met: () => isRoot() && commandsMet('prometheus', 'alertmanager'),
    why: 'it has to run as root (it fills a small disk), with prometheus and alertmanager on PATH',
  },
];

const suffix = { small: '.spec.ts', medium: '.medium-spec.ts', e2e: '.e2e-spec.ts', bench: '.bench.ts' };

function filesOf(size) {
  return ['apps', 'libs', 'test']
    .flatMap((folder) =>
      fs.readdirSync(path.join(checkout, folder), { recursive: true }).map((name) => path.join(folder, name)),
    )
    .filter((file) => file.endsWith(suffix[size]) && fs.existsSync(path.join(checkout, file)));
}

/**
 * The test files of a size: each with what it needs and lacks (`missing`, sentences), and whether it needs what `npm test` has
 * ready only at its end (`late`: a cluster, the tools that are built with it, images).
 */
export function testFiles(size) {
  return filesOf(size).map((file) => {
    const text = fs.readFileSync(path.join(checkout, file), 'utf8');
    const own = needs.filter(({ mark }) => mark.test(text));
    const missing = own.filter((need) => !need.met()).map(({ why }) => why);
    return { file, late: own.some(({ late }) => late === true), missing };
  });
}
