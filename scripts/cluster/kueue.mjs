// The real Kueue outside a pod: its resource definitions, its certificates, and its webhooks, directed to a port of the node.
import fs from 'node:fs';
import { cachedFiles } from './binaries.mjs';
import { authorityFile, certificateFile, keyFile } from './certificates.mjs';
import { kueueWebhookPort } from './layout.mjs';
import { runInside } from './namespaces.mjs';
import { apply, kubectl } from './objects.mjs';

const metricsCertificates = '/etc/kueue/metrics/certs'; // path built into Kueue; inside the cluster it is a separate tmpfs
const served = /kueue-x-k8s-io|batch-v1-job$/;

/** Kueue has a webhook for every kind of workload; this one covers only Jobs, and has a URL instead of a Service. */
function ours({ webhooks, metadata, ...rest }) {
  const caBundle = fs.readFileSync(authorityFile).toString('base64');
  const url = (webhook) => `https://127.0.0.1:${kueueWebhookPort}${webhook.clientConfig.service.path}`;
  return {
    ...rest,
    metadata: { name: `kueue-${metadata.name}` },
    webhooks: webhooks
      .filter((webhook) => served.test(webhook.clientConfig.service.path))
      .map((webhook) => ({ ...webhook, clientConfig: { url: url(webhook), caBundle } })),
  };
}

async function webhookConfigurations() {
  const file = cachedFiles('kueue-webhooks').find((name) => name.endsWith('manifests.yaml'));
  const text = await kubectl(['create', '--dry-run=client', '--validate=false', '--output=json', `--filename=${file}`]);
  return JSON.parse(`[${text.replaceAll(/^}\n\{/gm, '},\n{')}]`).flatMap((object) => object.items ?? [object]);
}

/** Creates the prerequisites of Kueue; idempotent. */
export async function prepareKueue(state) {
  await runInside(state.anchor, 'mkdir', ['-p', metricsCertificates]);
  await runInside(state.anchor, 'cp', [certificateFile('kueue-server'), `${metricsCertificates}/tls.crt`]);
  await runInside(state.anchor, 'cp', [keyFile('kueue-server'), `${metricsCertificates}/tls.key`]);
  await kubectl(['apply', '--server-side', ...cachedFiles('kueue-crds').map((file) => `--filename=${file}`)]);
  await apply('kueue-namespace.json', [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kueue-system' } }]);
  await kubectl(['wait', '--for=condition=Established', 'crd/workloads.kueue.x-k8s.io', '--timeout=60s']);
}

/** Registers the webhooks once Kueue answers: from then on the API server calls Kueue for every Job and refuses Jobs while it is down. */
export async function registerKueue() {
  await apply('kueue-webhooks.json', (await webhookConfigurations()).map(ours));
}

/**
 * Removes everything that was registered, while Kueue still runs, because queues and workloads are deleted only once Kueue has released
 * them. Jobs that Kueue has suspended stay suspended.
 */
export async function deregisterKueue() {
  const configurations = (await webhookConfigurations()).map(({ kind, metadata }) => `${kind}/kueue-${metadata.name}`);
  await kubectl(['delete', '--ignore-not-found', ...configurations]);
  const definitions = cachedFiles('kueue-crds').map((file) => `--filename=${file}`);
  await kubectl(['delete', '--ignore-not-found', '--timeout=60s', ...definitions]);
  await kubectl(['delete', '--ignore-not-found', '--timeout=60s', 'namespace/kueue-system']);
}
