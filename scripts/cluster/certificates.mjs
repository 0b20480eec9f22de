// The cluster's own certificate authority and certificates, made by openssl, and the kubeconfigs that contain them.
import fs from 'node:fs';
import { run } from '../setup/commands.mjs';
import { apiPort, apiServiceAddress, inRun, nodeAddress, nodeName } from './layout.mjs';

const days = '365';
const clusterName = 'phenix-fleet';
const openssl = (args) => run('openssl', args);
const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

export const keyFile = (name) => inRun('pki', `${name}.key`);
export const certificateFile = (name) => inRun('pki', `${name}.crt`);
export const kubeconfigOf = (name) => inRun(`${name}.kubeconfig`);
export const authorityFile = certificateFile('ca');
export const tokenKeyFile = keyFile('service-accounts');

/** Clients of the API server and their subjects (the names in Kubernetes' own RBAC bindings). */
const clients = {
  admin: '/O=system:masters/CN=admin',
  'controller-manager': '/CN=system:kube-controller-manager',
  scheduler: '/CN=system:kube-scheduler',
  kubelet: `/O=system:nodes/CN=system:node:${nodeName}`,
  'kube-proxy': '/CN=system:kube-proxy',
  coredns: '/O=system:masters/CN=coredns',
  kwok: '/O=system:masters/CN=kwok',
  kueue: '/O=system:masters/CN=kueue',
  keda: '/O=system:masters/CN=keda',
  'metrics-server': '/O=system:masters/CN=metrics-server',
  'front-proxy': '/CN=front-proxy', // the API server as a client, when it forwards a request to an aggregated API
  'apiserver-to-kubelet': '/O=system:masters/CN=apiserver-to-kubelet',
};

const servers = {
  apiserver: {
    subject: '/CN=kube-apiserver',
    names: [
      ...['127.0.0.1', apiServiceAddress, nodeAddress].map((address) => `IP:${address}`),
      ...['localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc'].map((name) => `DNS:${name}`),
    ],
  },
  'kubelet-server': { subject: `/CN=${nodeName}`, names: [`DNS:${nodeName}`, `IP:${nodeAddress}`] },
  'kueue-server': { subject: '/CN=kueue', names: ['IP:127.0.0.1'] },
  // KEDA's two halves authenticate to each other with one certificate, which is a client certificate too.
  'keda-server': {
    subject: '/CN=keda',
    names: ['IP:127.0.0.1', 'DNS:keda-metrics-apiserver.keda.svc'],
    usage: 'serverAuth,clientAuth',
  },
  'metrics-server-server': { subject: '/CN=metrics-server', names: ['DNS:metrics-server.kube-system.svc'] },
};

async function authority() {
  await openssl([
    ...['req', '-x509', ...newKey, '-keyout', keyFile('ca'), '-out', authorityFile],
    ...['-subj', '/CN=phenix-fleet-cluster', '-days', days],
  ]);
}

async function certificate(name, subject, names, usage) {
  const request = inRun('pki', `${name}.csr`);
  const extensions = inRun('pki', `${name}.ext`);
  const lines = [`extendedKeyUsage=${usage}`, ...(names.length > 0 ? [`subjectAltName=${names.join(',')}`] : [])];
  fs.writeFileSync(extensions, lines.join('\n'));
  await openssl(['req', ...newKey, '-keyout', keyFile(name), '-out', request, '-subj', subject]);
  await openssl([
    ...['x509', '-req', '-in', request, '-out', certificateFile(name), '-days', days, '-extfile', extensions],
    ...[
      '-CA',
      authorityFile,
      '-CAkey',
      keyFile('ca'),
      '-set_serial',
      `0x${Buffer.from(name).toString('hex').slice(0, 32)}`,
    ],
  ]);
  fs.rmSync(request);
  fs.rmSync(extensions);
}

const base64 = (file) => fs.readFileSync(file).toString('base64');

/** A self-contained kubeconfig, so that it can be copied; JSON is valid YAML. */
function writeKubeconfig(name) {
  const cluster = { server: `https://127.0.0.1:${apiPort}`, 'certificate-authority-data': base64(authorityFile) };
  const user = {
    'client-certificate-data': base64(certificateFile(name)),
    'client-key-data': base64(keyFile(name)),
  };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: clusterName, cluster }],
    users: [{ name, user }],
    contexts: [{ name: clusterName, context: { cluster: clusterName, user: name } }],
    'current-context': clusterName,
  };
  fs.writeFileSync(kubeconfigOf(name), `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
}

/** Creates every key, certificate and kubeconfig of a new cluster. */
export async function makeCertificates() {
  fs.mkdirSync(inRun('pki'), { recursive: true, mode: 0o700 });
  await authority();
  await Promise.all([
    ...Object.entries(clients).map(([name, subject]) => certificate(name, subject, [], 'clientAuth')),
    ...Object.entries(servers).map(([name, { subject, names, usage = 'serverAuth' }]) =>
      certificate(name, subject, names, usage),
    ),
    openssl(['ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', tokenKeyFile]),
  ]);
  Object.keys(clients).forEach(writeKubeconfig);
}
