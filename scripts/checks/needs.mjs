// Requirements of test files on the machine. A file names them in a comment; the runner leaves out, and lists, files whose requirements are missing.
import fs from 'node:fs';
import path from 'node:path';
import { onPath } from '../setup/commands.mjs';
import { browserProgram } from '../setup/browser.mjs';
import { checkout } from '../setup/paths.mjs';
import { hasLocalModel } from '../setup/local-model.mjs';
import { clientPython } from '../setup/python-client.mjs';
import { kubeconfigFile } from '../cluster/layout.mjs';
import { testSizes } from '../../test/support/test-sizes.mjs';
import { quarantine } from './quarantine.mjs';

const isRoot = () => process.getuid?.() === 0;
const commandsMet = (...names) => names.every((name) => onPath([name]) !== undefined);
const isSet = (name) => () => Boolean(process.env[name]);

const needs = [
  {
    mark: /PHENIX_FLEET_TEST_DATA/,
    met: isSet('PHENIX_FLEET_TEST_DATA'),
    why: 'PHENIX_FLEET_TEST_DATA is not set (a folder with the test datasets)',
  },
  {
    mark: /PHENIX_FLEET_TEST_LOGS/,
    met: isSet('PHENIX_FLEET_TEST_LOGS'),
    why: 'PHENIX_FLEET_TEST_LOGS is not set (a folder with real program logs)',
  },
  {
    mark: /PHENIX_FLEET_TEST_SCENARIOS/,
    met: isSet('PHENIX_FLEET_TEST_SCENARIOS'),
    why: 'PHENIX_FLEET_TEST_SCENARIOS is not set (a folder with recorded decision requests)',
  },
  {
    mark: /PHENIX_FLEET_TEST_CASES/,
    met: isSet('PHENIX_FLEET_TEST_CASES'),
    why: 'PHENIX_FLEET_TEST_CASES is not set (a folder with files as people bring them)',
  },
  { mark: /@needs root/, met: isRoot, why: 'it must run as root' },
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
    why: 'the local model is not installed (npm run test:long does it, on Linux with an x64 processor)',
  },
  { mark: /@needs openssl/, met: () => commandsMet('openssl'), why: 'openssl is not on PATH: it makes certificates' },
  {
    mark: /@needs helm/,
    met: () => commandsMet('helm', 'kubeconform'),
    why: 'helm or kubeconform is not on PATH (npm test builds them where Go 1.26 is)',
  },
  {
    mark: /@needs buildah/,
    met: () => isRoot() && commandsMet('buildah'),
    why: 'it builds images: it must run as root, with buildah',
  },
  {
    mark: /@needs cluster(?!-)/,
    met: isSet('KUBECONFIG'),
    why: 'KUBECONFIG is not set (npm run cluster:up, or a cluster of yours; npm run test:cluster starts one)',
  },
  {
    mark: /@needs cluster-parts/,
    met: () => process.env.KUBECONFIG === kubeconfigFile,
    why: "it stops and starts parts of the cluster: it needs the project's own (npm run cluster:up)",
  },
  {
    mark: /@needs cluster-tools/,
    met: () => commandsMet('helm', 'kubeconform', 'kubectl', 'promtool'),
    why: 'helm, kubeconform, kubectl or promtool is not on PATH (eval "$(node scripts/cluster.mjs env)")',
  },
  {
    mark: /@needs go-programs/,
    met: () => commandsMet('go'),
    why: 'Go is not on PATH: it builds a program that the benchmark needs, which takes minutes the first time',
  },
  {
    mark: /@needs prometheus/,
    met: () => isRoot() && commandsMet('prometheus', 'alertmanager'),
    why: 'it must run as root (it fills a small disk), with prometheus and alertmanager on PATH',
  },
];

/** The size of a test file, by its name; undefined if the file is not a test. */
export const sizeOf = (file) => Object.entries(testSizes).find(([, { suffix }]) => file.endsWith(suffix))?.[0];

/** The test files of a size, relative to the checkout's root, without those in quarantine. */
function filesOf(size) {
  const out = new Set(quarantine().files.map(({ file }) => file));
  return ['apps', 'libs', 'test']
    .flatMap((folder) =>
      fs.readdirSync(path.join(checkout, folder), { recursive: true }).map((name) => path.join(folder, name)),
    )
    .filter((file) => sizeOf(file) === size && !out.has(file));
}

/** The test files of a size, each with what this machine lacks for it (`missing`, sentences). */
export function testFiles(size) {
  return filesOf(size).map((file) => {
    const text = fs.readFileSync(path.join(checkout, file), 'utf8');
    return { file, missing: needs.filter(({ mark, met }) => mark.test(text) && !met()).map(({ why }) => why) };
  });
}
