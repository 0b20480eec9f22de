// The real KEDA outside a pod: its resource definitions, its certificates, and its API for external metrics.
import fs from 'node:fs';
import { deregisterApi, registerApi } from './aggregated-api.mjs';
import { cachedFiles } from './binaries.mjs';
import { authorityFile, certificateFile, keyFile } from './certificates.mjs';
import { inRun, kedaAdapterPort } from './layout.mjs';
import { apply, kubectl } from './objects.mjs';

const namespace = 'keda';
const externalMetrics = {
  ...{ group: 'external.metrics.k8s.io', version: 'v1beta1' },
  ...{ service: 'keda-metrics-apiserver', namespace, port: kedaAdapterPort },
};
const definitions = () => cachedFiles('keda-crds').map((file) => `--filename=${file}`);

/** Creates the prerequisites of KEDA; idempotent. */
export async function prepareKeda() {
  fs.mkdirSync(inRun('keda-certificates'), { recursive: true });
  for (const [source, name] of [
    [certificateFile('keda-server'), 'tls.crt'],
    [keyFile('keda-server'), 'tls.key'],
    [authorityFile, 'ca.crt'],
  ])
    fs.copyFileSync(source, inRun('keda-certificates', name));
  await kubectl(['apply', '--server-side', ...definitions()]);
  await apply('keda-namespace.json', [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }]);
  await kubectl(['wait', '--for=condition=Established', 'crd/scaledobjects.keda.sh', '--timeout=60s']);
}

/** Registers KEDA once it answers: from then on autoscalers query it for external metrics. */
export const registerKeda = () => registerApi(externalMetrics);

/** Removes everything that was registered, while KEDA still runs, because it must release its ScaledObjects. */
export async function deregisterKeda() {
  await kubectl(['delete', '--ignore-not-found', '--timeout=60s', ...definitions()]);
  await deregisterApi(externalMetrics);
  await kubectl(['delete', '--ignore-not-found', '--timeout=60s', `namespace/${namespace}`]);
}
