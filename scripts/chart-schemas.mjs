#!/usr/bin/env node
// node scripts/chart-schemas.mjs: writes test/chart/schemas, with which kubeconform checks the rendered chart offline.
// Sources: the OpenAPI of the running cluster (npm run cluster:up), and the CRDs of Kueue, KEDA, the Gateway API, CloudNativePG and the Prometheus Operator as Go modules.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { load } from 'js-yaml';
import { cacheDirectory } from './cluster/recipe.mjs';
import { checkout } from './setup/paths.mjs';

const folder = path.join(checkout, 'test/chart/schemas');

/** group/version/kind of every object that the chart can create. */
const kinds = [
  '/v1/ConfigMap',
  '/v1/LimitRange',
  '/v1/Namespace',
  '/v1/PersistentVolume',
  '/v1/PersistentVolumeClaim',
  '/v1/Pod',
  '/v1/ResourceQuota',
  '/v1/Secret',
  '/v1/Service',
  '/v1/ServiceAccount',
  'apps/v1/Deployment',
  'apps/v1/StatefulSet',
  'autoscaling/v2/HorizontalPodAutoscaler',
  'batch/v1/Job',
  'networking.k8s.io/v1/Ingress',
  'networking.k8s.io/v1/NetworkPolicy',
  'policy/v1/PodDisruptionBudget',
  'rbac.authorization.k8s.io/v1/Role',
  'rbac.authorization.k8s.io/v1/RoleBinding',
  'scheduling.k8s.io/v1/PriorityClass',
];

/** Older releases than those of the dry run on the API server (scripts/cluster/go/definitions): the chart supports both. */
const modules = [
  {
    module: 'sigs.k8s.io/gateway-api@v1.2.1',
    file: 'config/crd/standard/gateway.networking.k8s.io_httproutes.yaml',
    version: 'v1',
  },
  {
    module: 'github.com/kedacore/keda/v2@v2.16.1',
    file: 'config/crd/bases/keda.sh_scaledobjects.yaml',
    version: 'v1alpha1',
  },
  {
    module: 'github.com/cloudnative-pg/cloudnative-pg@v1.27.0',
    file: 'config/crd/bases/postgresql.cnpg.io_clusters.yaml',
    version: 'v1',
  },
  {
    module: 'github.com/prometheus-operator/prometheus-operator@v0.92.0',
    file: 'example/prometheus-operator-crd/monitoring.coreos.com_podmonitors.yaml',
    version: 'v1',
  },
  {
    module: 'github.com/prometheus-operator/prometheus-operator@v0.92.0',
    file: 'example/prometheus-operator-crd/monitoring.coreos.com_prometheusrules.yaml',
    version: 'v1',
  },
];
const kueueKinds = ['clusterqueues', 'localqueues', 'resourceflavors', 'workloadpriorityclasses'];

const prefix = '#/definitions/';

/** Types that the API server accepts in two forms, although its OpenAPI names one. */
const twoForms = {
  'io.k8s.apimachinery.pkg.api.resource.Quantity': { type: ['string', 'number'] },
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': { type: ['string', 'integer'] },
};

/** The schema without descriptions and without keys for Kubernetes' own tools; it refuses unknown keys. */
function strict(node, refersTo) {
  if (Array.isArray(node)) return node.map((item) => strict(item, refersTo));
  if (typeof node !== 'object' || node === null) return node;
  if (node['x-kubernetes-int-or-string']) return { type: ['string', 'integer'] };
  const entries = Object.entries(node)
    .filter(([key]) => !key.startsWith('x-') && !['description', 'default', 'format', 'example'].includes(key))
    .map(([key, value]) => [key, key === 'properties' ? strictEach(value, refersTo) : strict(value, refersTo)]);
  const result = Object.fromEntries(entries);
  if (typeof result.$ref === 'string') return { $ref: refersTo(result.$ref) };
  if (result.properties && !node['x-kubernetes-preserve-unknown-fields']) result.additionalProperties ??= false;
  return result;
}

const strictEach = (properties, refersTo) =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, strict(schema, refersTo)]));

/** Builds one self-contained schema for one kind, with all referenced definitions inside. */
function standalone(definitions, name) {
  const found = {};
  const refersTo = (ref) => {
    const target = ref.slice(prefix.length);
    if (!(target in found)) {
      found[target] = {};
      found[target] = twoForms[target] ?? strict(definitions[target], refersTo);
    }
    return ref;
  };
  return { ...strict(definitions[name], refersTo), definitions: found };
}

function write(group, version, kind, schema) {
  const named = withKind(schema, `${group ? `${group}/` : ''}${version}`, kind);
  fs.writeFileSync(path.join(folder, fileName(group, version, kind)), `${JSON.stringify(named)}\n`);
}

/** File name in kubeconform's pattern: {{ .ResourceKind }}{{ .KindSuffix }}.json */
const fileName = (group, version, kind) =>
  `${[kind.toLowerCase(), group.split('.')[0], version].filter(Boolean).join('-')}.json`;

const withKind = (schema, apiVersion, kind) => ({
  ...schema,
  required: [...new Set([...(schema.required ?? []), 'apiVersion', 'kind', 'metadata'])],
  properties: { ...schema.properties, apiVersion: { const: apiVersion }, kind: { const: kind } },
});

function writeBuiltIn() {
  const text = execFileSync('kubectl', ['get', '--raw', '/openapi/v2'], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
  });
  const { definitions } = JSON.parse(text);
  const byKind = new Map(
    Object.entries(definitions).flatMap(([name, schema]) =>
      (schema['x-kubernetes-group-version-kind'] ?? []).map((gvk) => [`${gvk.group}/${gvk.version}/${gvk.kind}`, name]),
    ),
  );
  for (const gvk of kinds) {
    const [group, version, kind] = gvk.split('/');
    write(group, version, kind, standalone(definitions, byKind.get(gvk)));
  }
}

function writeCustom(file, version) {
  const { spec } = load(fs.readFileSync(file, 'utf8'));
  const { schema } = spec.versions.find(({ name }) => name === version);
  const strictSchema = strict(schema.openAPIV3Schema, (ref) => ref);
  write(spec.group, version, spec.names.kind, {
    ...strictSchema,
    properties: { ...strictSchema.properties, metadata: { type: 'object' } },
  });
}

function moduleFolder(module) {
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'fleet-schemas-'));
  try {
    fs.writeFileSync(path.join(scratch, 'go.mod'), 'module schemas\n\ngo 1.25\n');
    const answer = execFileSync('go', ['mod', 'download', '-json', module], { cwd: scratch, encoding: 'utf8' });
    return JSON.parse(answer).Dir;
  } finally {
    fs.rmSync(scratch, { recursive: true });
  }
}

fs.rmSync(folder, { recursive: true, force: true });
fs.mkdirSync(folder, { recursive: true });
writeBuiltIn();
for (const { module, file, version } of modules) writeCustom(path.join(moduleFolder(module), file), version);
for (const kind of kueueKinds)
  writeCustom(path.join(cacheDirectory, 'kueue-crds', `kueue.x-k8s.io_${kind}.yaml`), 'v1beta1');
