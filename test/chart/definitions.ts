import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { loadAll } from 'js-yaml';
import { checkout, kubectl, run, type Rendered } from './chart-command';

/** A CustomResourceDefinition, as far as we look into it. */
interface Definition {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  readonly spec: { readonly group: string; readonly names: { readonly kind: string; readonly plural: string } };
}

/** What we put there carries it, so that we take nothing else away, and a later run what an interrupted one has left. */
const label = 'phenix-fleet.io/definition-for';
const labels = { [label]: 'chart-dry-run' };
const servedWithinMs = 120_000;

const groupOf = ({ apiVersion }: Rendered): string => apiVersion.replace(/\/?[^/]*$/, '');

/** The pinned definitions of KEDA, Kueue, the Gateway API and the Prometheus Operator, those of the kinds of these objects alone. */
const definitionsFor = (objects: readonly Rendered[]): readonly Definition[] => {
  const answer = run(process.execPath, [join(checkout, 'scripts/cluster.mjs'), 'definitions']);
  if (!answer.ok)
    throw new Error(
      `The definitions of KEDA, Kueue, the Gateway API and the Prometheus Operator are not available: ${answer.all}`,
    );
  const rendered = new Set(objects.map((object) => `${object.kind}.${groupOf(object)}`));
  return answer.output
    .trim()
    .split('\n')
    .flatMap((file) => loadAll(readFileSync(file, 'utf8')) as (Definition | null)[])
    .filter((object) => object !== null)
    .filter(({ kind }) => kind === 'CustomResourceDefinition')
    .filter(({ spec }) => rendered.has(`${spec.names.kind}.${spec.group}`));
};

const present = (...selector: readonly string[]): readonly string[] =>
  kubectl(['get', 'customresourcedefinitions', '--output=name', ...selector])
    .split('\n')
    .map((line) => line.replace(/^.*\//, ''));

/** They are known to discovery, where kubectl looks, a moment after they are established. */
const untilServed = async (names: readonly string[]): Promise<void> => {
  const deadline = Date.now() + servedWithinMs;
  for (;;) {
    const served = kubectl(['api-resources', '--cached=false', '--output=name']).split('\n');
    const missing = names.filter((name) => !served.includes(name));
    if (missing.length === 0) return;
    if (Date.now() > deadline) throw new Error(`The API server does not serve ${missing.join(', ')}.`);
    await pause(200);
  }
};

/**
 * Makes the API server know the kinds of these objects: of KEDA, Kueue, the Gateway API and the Prometheus Operator it gets the
 * definitions that it lacks. Those that it has stay as they are.
 * @returns the names of all that these objects need, whoever has put them there
 * @throws Error when the cluster lacks some and does not let us make them
 */
export const lendDefinitions = async (objects: readonly Rendered[]): Promise<readonly string[]> => {
  const needed = definitionsFor(objects);
  const names = needed.map(({ metadata }) => metadata.name);
  const foreign = present(`--selector=!${label}`);
  const lent = needed
    .filter(({ metadata }) => !foreign.includes(metadata.name))
    .map((definition) => ({ ...definition, metadata: { ...definition.metadata, labels } }));
  if (lent.length > 0) {
    // Under kubectl's own name: who applies the same definition to keep it (`start kueue`) takes our label off by that.
    const made = run(
      'kubectl',
      ['apply', '--server-side', '--filename=-'],
      lent.map((one) => JSON.stringify(one)).join('\n---\n'),
    );
    const missing = lent.map(({ metadata }) => metadata.name).join(', ');
    if (!made.ok)
      throw new Error(
        `The cluster lacks ${missing}, and they cannot be made: give KUBECONFIG the right to create and delete ` +
          `CustomResourceDefinitions, or install KEDA, Kueue, the Gateway API and the Prometheus Operator. ${made.all}`,
      );
  }
  await untilServed(names);
  return names;
};

/** Takes away the definitions that `lendDefinitions` has made, and waits until they are gone. */
export const takeDefinitionsBack = (): void => {
  kubectl(['delete', 'customresourcedefinitions', `--selector=${label}`, '--timeout=60s']);
};
