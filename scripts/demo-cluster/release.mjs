// The fleet as an administrator installs it: the chart, its namespaces, and the two folders of this machine that it uses.
import fs from 'node:fs';
import path from 'node:path';
import { checkout } from '../setup/paths.mjs';

const chart = path.join(checkout, 'helm', 'phenix-fleet');
const exampleValues = path.join(chart, 'examples', 'dev-cluster.yaml');

export const names = {
  release: 'demo',
  namespace: 'fleet-demo',
  jobsNamespace: 'fleet-demo-jobs',
  gateway: 'demo-phenix-fleet-gateway',
  adminKey: 'demo-phenix-fleet-initial-admin',
};

/** User id of the demo's programs: that of the proposal, which no other user of this machine has. */
export const proposal = { name: 'demo', uid: 21001, gid: 21001 };
const fleetGid = 10000;
const serviceUid = 10000;
/** Where the example values mount the work folder, in services and programs alike. */
export const workMount = '/fleet/work';
const dataMount = '/fleet/data';

/** Creates the shared folders: the fleet's group may write the first, every user may read the second. */
export function makeFolders(folder) {
  const work = path.join(folder, 'work');
  const data = path.join(folder, 'data');
  fs.mkdirSync(work, { recursive: true });
  fs.mkdirSync(data, { recursive: true });
  fs.chownSync(work, serviceUid, fleetGid);
  fs.chmodSync(work, 0o2775);
  fs.chmodSync(data, 0o755);
  return { work, data };
}

/** The path of a data file inside pods. */
export const inPods = (data, file) => path.posix.join(dataMount, path.relative(data, file));

function values({ work, data }) {
  return [
    ...['--values', exampleValues],
    ...['--set-string', `storage.work.source.hostPath.path=${work}`],
    ...[
      '--set-json',
      `storage.data=${JSON.stringify([{ name: 'data', mountPath: dataMount, shared: true, source: { hostPath: { path: data } } }])}`,
    ],
    ...[
      '--set-json',
      `jobs.identity.proposals=${JSON.stringify({ [proposal.name]: { uid: proposal.uid, gid: proposal.gid } })}`,
    ],
  ];
}

/** Creates the namespaces beforehand, so that Pod Security is enforced from the first pod on. */
async function makeNamespace({ kubectl, objects }) {
  const known = await objects('namespaces', `--field-selector=metadata.name=${names.namespace}`);
  if (known.length === 0) await kubectl('create', 'namespace', names.namespace);
  const enforced = 'pod-security.kubernetes.io/enforce=restricted';
  await kubectl('label', 'namespace', names.namespace, '--overwrite', enforced);
}

const waiting = ['--wait', '--timeout', '300s'];

export async function install(tools, folders) {
  await makeNamespace(tools);
  await tools.helm('install', names.release, chart, '--namespace', names.namespace, ...values(folders), ...waiting);
}

/** The API key that the chart created for the first administrator. */
export async function adminKey({ kubectl }) {
  const where = ['--namespace', names.namespace, '--output', 'jsonpath={.data.key}'];
  return Buffer.from(await kubectl('get', 'secret', names.adminKey, ...where), 'base64').toString('utf8');
}

/** Upgrades with the chart's drain hooks and returns Helm's output, including that of the hooks. */
export const upgrade = (tools, folders, tag) =>
  tools.helm(
    ...['upgrade', names.release, chart, '--namespace', names.namespace, ...values(folders)],
    ...['--set-string', `image.tag=${tag}`, '--set', 'upgrade.drain.enabled=true', ...waiting],
  );

/** Removes the release and its namespaces; idempotent. */
export async function uninstall(tools) {
  await tools.helm('uninstall', names.release, '--namespace', names.namespace, '--ignore-not-found', ...waiting);
}

export async function removeNamespace({ kubectl }) {
  await kubectl('delete', 'namespace', names.namespace, names.jobsNamespace, '--ignore-not-found', '--timeout=120s');
}

/** The version of each service's running pods. */
export async function runningImages({ objects }) {
  const pods = await objects('pods', '--namespace', names.namespace, '--field-selector=status.phase=Running');
  return pods
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map(({ metadata, spec }) => ({ pod: metadata.name, image: spec.containers[0].image }));
}
