// After helm uninstall: deletes the Jobs of one installation and waits until none of their pods is left; lists any that remain.
// The executors are gone by then and their rights with them, so no new Job can appear.
import { readFileSync } from 'node:fs';

const { NAMESPACE, INSTALLATION, TIMEOUT_SECONDS, RETRY_MS = '1000', API_SERVER, TOKEN_FILE } = process.env;
const endsAt = Date.now() + Number(TIMEOUT_SECONDS) * 1000;
const labels = encodeURIComponent(
  `app.kubernetes.io/managed-by=phenix-fleet,phenix-fleet.io/installation=${INSTALLATION}`,
);
const jobs = `/apis/batch/v1/namespaces/${NAMESPACE}/jobs`;
const pods = `/api/v1/namespaces/${NAMESPACE}/pods`;

/** Only metadata, because thousands of complete Jobs would not fit into this pod's memory. */
const namesAlone = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json';

async function call(method, path, body) {
  const response = await fetch(`${API_SERVER}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${readFileSync(TOKEN_FILE, 'utf8').trim()}`,
      ...(method === 'GET' && { accept: namesAlone }),
      'content-type': 'application/json',
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(10_000),
  });
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

const found = async (path) =>
  ((await call('GET', `${path}?labelSelector=${labels}`))?.items ?? []).map(({ metadata }) => metadata);

const remove = ({ name }) => call('DELETE', `${jobs}/${name}`, { propagationPolicy: 'Foreground' });

/** Deletes every Job that is not being deleted yet, in groups; returns the names of all remaining Jobs and pods. */
async function removeAll() {
  const present = await found(jobs);
  const undeleted = present.filter(({ deletionTimestamp }) => deletionTimestamp === undefined);
  for (let index = 0; index < undeleted.length; index += 20) {
    await Promise.all(undeleted.slice(index, index + 20).map(remove));
    undeleted.slice(index, index + 20).forEach(({ name }) => removed.add(name));
  }
  return [...present, ...(await found(pods))].map(({ name }) => name);
}

const removed = new Set();
let left = [];
let problem;
for (;;) {
  try {
    left = await removeAll();
    problem = undefined;
  } catch (error) {
    problem = error;
    console.error(`It is tried again: ${error.cause?.code ?? error.message}`);
  }
  if ((left.length === 0 && !problem) || Date.now() >= endsAt) break;
  await new Promise((resolve) => setTimeout(resolve, Number(RETRY_MS)));
}

if (left.length === 0 && !problem) {
  console.log(`${removed.size} Jobs of ${INSTALLATION} were deleted in namespace ${NAMESPACE}; none is left.`);
} else {
  const some = left.length > 20 ? `${left.slice(0, 20).join(', ')} and ${left.length - 20} more` : left.join(', ');
  console.error(
    `Still in namespace ${NAMESPACE} after ${TIMEOUT_SECONDS} s: ${some || 'unknown'}${problem ? ` (${problem.message})` : ''}.`,
  );
  console.error(`kubectl -n ${NAMESPACE} delete jobs -l ${decodeURIComponent(labels)} ends them.`);
  process.exitCode = 1;
}
