// Requests of the cluster's set-up to its API server: readiness of nodes, and kwok's nodes.
import fs from 'node:fs';
import { answerOf, run } from '../setup/commands.mjs';
import { SetupProblem } from '../setup/progress.mjs';
import { binary } from './binaries.mjs';
import { inRun, kubeconfigFile, nodeName } from './layout.mjs';

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const oneMinute = 60_000;
const fakeLabel = 'type=kwok';

/** Runs kubectl as the cluster's administrator. */
export const kubectl = (args) =>
  run(binary('kubectl'), [`--kubeconfig=${kubeconfigFile}`, ...args], { what: 'kubectl' });

/** Applies objects given as plain data. */
export async function apply(name, objects) {
  const file = inRun(name);
  fs.writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
  await kubectl(['apply', '--server-side', '--force-conflicts', '-f', file]);
  fs.rmSync(file);
}

function readyNodes() {
  const path = '{range .items[*]}{.metadata.name}{" "}{.status.conditions[?(@.type=="Ready")].status}{"\\n"}{end}';
  const answer = answerOf(binary('kubectl'), [
    ...[`--kubeconfig=${kubeconfigFile}`, '--request-timeout=5s'],
    ...['get', 'nodes', '-o', `jsonpath=${path}`],
  ]);
  return (answer ?? '')
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([, ready]) => ready === 'True')
    .map(([name]) => name);
}

/** The number of ready nodes of each kind; zero if the API server does not answer. */
export function countNodes() {
  const nodes = readyNodes();
  return {
    real: nodes.filter((name) => name === nodeName).length,
    fake: nodes.filter((name) => name !== nodeName).length,
  };
}

/** Waits until the real node is ready. */
export async function untilNodeIsReady() {
  const deadline = Date.now() + oneMinute;
  while (!readyNodes().includes(nodeName)) {
    if (Date.now() > deadline) throw new SetupProblem(`Node ${nodeName} did not get ready: see ${inRun('log')}`);
    await pause(100);
  }
}

/** Waits for the default service account, which pods need and a controller creates. */
export async function untilNamespaceIsServed() {
  await kubectl(['wait', '--for=create', 'serviceaccount/default', '--namespace=default', '--timeout=60s']);
}

function fakeNode(name, gpus) {
  const resources = { cpu: '32', memory: '256Gi', pods: '110', ...(gpus > 0 && { 'nvidia.com/gpu': String(gpus) }) };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      annotations: { 'kwok.x-k8s.io/node': 'fake' },
      labels: {
        type: 'kwok',
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'amd64',
        ...(gpus > 0 && { 'nvidia.com/gpu.present': 'true' }),
      },
    },
    spec: { taints: [{ key: 'kwok.x-k8s.io/node', value: 'fake', effect: 'NoSchedule' }] },
    status: { capacity: resources, allocatable: resources },
  };
}

/** Creates `count` fake nodes with `gpus` GPUs each; idempotent. kwok must be running. */
export async function addFakeNodes(count, gpus) {
  const prefix = gpus > 0 ? `fake-gpu${gpus}` : 'fake-cpu';
  const names = Array.from({ length: count }, (_, index) => `${prefix}-${index + 1}`);
  await apply(
    'fake-nodes.json',
    names.map((name) => fakeNode(name, gpus)),
  );
  await kubectl(['wait', '--for=condition=Ready', ...names.map((name) => `node/${name}`), '--timeout=60s']);
}

export const removeFakeNodes = () => kubectl(['delete', 'nodes', '--selector', fakeLabel]);
