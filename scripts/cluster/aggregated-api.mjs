// Aggregated APIs: a program outside any pod serves an API, and the API server forwards requests for it.
import fs from 'node:fs';
import { authorityFile } from './certificates.mjs';
import { nodeAddress } from './layout.mjs';
import { apply, kubectl } from './objects.mjs';

const nameOf = ({ group, version }) => `${version}.${group}`;

/** The APIService, and the Service whose only endpoint is a port of the node. */
function objectsOf({ group, version, service, namespace, port }) {
  const metadata = { name: service, namespace };
  const ports = [{ name: 'https', protocol: 'TCP', port }];
  const caBundle = fs.readFileSync(authorityFile).toString('base64');
  return [
    { apiVersion: 'v1', kind: 'Service', metadata, spec: { clusterIP: 'None', ports } },
    {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { ...metadata, labels: { 'kubernetes.io/service-name': service } },
      addressType: 'IPv4',
      endpoints: [{ addresses: [nodeAddress], conditions: { ready: true } }],
      ports,
    },
    {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: nameOf({ group, version }) },
      spec: {
        ...{ group, version, caBundle, groupPriorityMinimum: 100, versionPriority: 100 },
        service: { name: service, namespace, port },
      },
    },
  ];
}

/** Registers a program's API with the API server and waits until it answers. */
export async function registerApi(api) {
  await apply(`${api.service}.json`, objectsOf(api));
  await kubectl(['wait', '--for=condition=Available', `apiservice/${nameOf(api)}`, '--timeout=60s']);
}

export async function deregisterApi(api) {
  await kubectl(['delete', '--ignore-not-found', `apiservice/${nameOf(api)}`]);
  const where = ['--ignore-not-found', `--namespace=${api.namespace}`];
  await kubectl(['delete', ...where, `service/${api.service}`, `endpointslice/${api.service}`]);
}
