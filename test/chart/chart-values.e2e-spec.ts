// @needs helm
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { chart, template } from './chart-command';
import { OtherValues, type ValueSchema } from './other-value';

type Values = Readonly<Record<string, unknown>>;
const isMap = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;

/** The keys of every value that has a default. */
const leavesOf = (values: Values, above: readonly string[] = []): readonly (readonly [string[], unknown])[] =>
  Object.entries(values).flatMap(([key, value]) =>
    isMap(value) ? leavesOf(value, [...above, key]) : [[[...above, key], value] as [string[], unknown]],
  );

const leaves = leavesOf(load(readFileSync(join(chart, 'values.yaml'), 'utf8')) as Values);
const others = new OtherValues(JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8')) as ValueSchema);

/** Sets in which every part of the chart is on in at least one. */
const grounds = ['shared-namespace', 'facility-gpu-kueue', 'minimal', 'keda-no-walls', 'beamline', 'one-namespace'];

/** Where the values below a key show, so that a render or two per value are enough; the others show in the first ground. */
const likely: Readonly<Record<string, string>> = {
  'gateway.httpRoute': 'facility-gpu-kueue',
  'gateway.ingress': 'beamline',
  'jobs.namespace': 'minimal',
  'database.cluster': 'facility-gpu-kueue',
  'database.server': 'minimal',
  'database.url': 'shared-namespace',
  'redis.bundled': 'facility-gpu-kueue',
  'services.defaults.autoscaling': 'keda-no-walls',
  'storage.data': 'one-namespace',
  'storage.software': 'one-namespace',
  'storage.uploads': 'one-namespace',
};

const groundsFor = (name: string): ReadonlySet<string> => {
  const first = Object.keys(likely).find((key) => name.startsWith(key));
  return new Set([...(first === undefined ? [] : [likely[first] ?? '']), ...grounds]);
};

/** Values that are not there to be different, but to be given: the schema alone cannot make a useful one. */
const given: Readonly<Record<string, unknown>> = {
  'storage.work.source': { nfs: { server: 'other', path: '/other' } },
  'storage.data': [
    { name: 'other', mountPath: '/other', shared: true, source: { nfs: { server: 'other', path: '/' } } },
  ],
  'storage.work.root': '/work/other',
  'storage.uploads.source': { nfs: { server: 'other', path: '/uploads' } },
  'storage.uploads.root': '/uploads/other',
  'jobs.namespace.podSecurity': 'baseline',
  'jobs.mustReach': ['licences.example.org:27000'],
  'models.targets': ['site', 'gpu-1'].map((id) => ({ id, protocol: 'openai' })),
  'models.roles.planning': ['gpu-1'],
  'models.roles.directives': ['site'],
  'models.roles.analysis': ['site'],
  'models.roles.cheap': ['site'],
  'models.providers': [{ name: 'google', targets: ['site'] }],
  'metrics.rules.changes': { PhenixFleetBacklogOld: { for: '1h' } },
  'database.cluster.parameters.max_connections': 500,
  'database.server.parameters.max_connections': 500,
  'database.cluster.spec': { enablePDB: false },
  // Switched off where they are on: alone, without hosts or a Gateway, they are refused.
  'gateway.ingress.enabled': false,
  'gateway.httpRoute.enabled': false,
};

/** Values that go with another one: there is one database. */
const together: Readonly<Record<string, Values>> = {
  'database.cluster.enabled': { 'database.server.enabled': false },
  'database.server.enabled': { 'database.url.existingSecret': '', 'database.url.caKey': '' },
};

const escaped = (keys: readonly string[]): string => keys.map((key) => key.replaceAll('.', '\\.')).join('.');

/** A new password or key each time is not a difference. */
const shown = (ground: string, over: Values): string => {
  const { ok, output, all } = template(ground, over);
  return ok ? output.replaceAll(/\b(?:\w{40}(?:\w{8})?|phx_\w{60})\b/g, 'PASSWORD') : `refused: ${all}`;
};

const before = new Map<string, string>();
const plain = (ground: string): string => {
  const text = before.get(ground) ?? shown(ground, {});
  before.set(ground, text);
  return text;
};

it.each(leaves.map(([keys, value]) => ({ name: keys.join('.'), keys, value })))(
  'the value $name changes what is rendered',
  ({ name, keys, value }) => {
    const other = given[name] ?? others.otherThan(value, others.schemaOf(keys));
    const refusals: string[] = [];
    const changes = [...groundsFor(name)].some((ground) => {
      const text = shown(ground, { [escaped(keys)]: other, ...together[name] });
      if (text.startsWith('refused')) refusals.push(text);
      return !text.startsWith('refused') && text !== plain(ground);
    });
    expect({ changes, other, refusals: changes ? [] : refusals }).toEqual({ changes: true, other, refusals: [] });
  },
);
