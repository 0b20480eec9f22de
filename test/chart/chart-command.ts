import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { V1ObjectMeta, V1PodSpec } from '@kubernetes/client-node';
import { loadAll } from 'js-yaml';

export const checkout = resolve(__dirname, '../..');
export const chart = join(checkout, 'helm/phenix-fleet');
/** The namespace that the value sets are made for. */
const namespace = 'fleet';

/** A rendered object, as far as the tests look into it. */
export interface Rendered {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: V1ObjectMeta & { readonly name: string };
  readonly spec?: Readonly<Record<string, unknown>>;
  /** Of a WorkloadPriorityClass. */
  readonly value?: number;
  readonly data?: Readonly<Record<string, string>>;
  readonly stringData?: Readonly<Record<string, string>>;
  readonly rules?: readonly { readonly apiGroups: string[]; readonly resources: string[]; readonly verbs: string[] }[];
  readonly subjects?: readonly { readonly name: string; readonly namespace?: string }[];
}

export interface Answer {
  readonly ok: boolean;
  readonly output: string;
  /** Standard output and standard error. */
  readonly all: string;
}

/** A process of Helm lives for a moment: without Go's garbage collector it takes 40 % less, and 90 MB. */
const environment = { ...process.env, GOGC: 'off' };

/** Runs a tool of the cluster (helm, kubectl, kubeconform), which PATH has. Never throws for a refusal. */
export const run = (command: string, args: readonly string[], input = ''): Answer => {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: checkout,
    encoding: 'utf8',
    input,
    env: command === 'helm' ? environment : process.env,
    maxBuffer: 64 * 1024 ** 2,
  });
  if (error !== undefined) throw error;
  return { ok: status === 0, output: stdout, all: `${stdout}\n${stderr}` };
};

/**
 * kubectl, on the cluster that KUBECONFIG names.
 * @throws Error with what kubectl said
 */
export const kubectl = (args: readonly string[], input = ''): string => {
  const answer = run('kubectl', args, input);
  if (!answer.ok) throw new Error(`kubectl ${args.join(' ')}: ${answer.all}`);
  return answer.output;
};

/** Value sets of an installation: the chart's examples and those of the tests, by name. */
export const valueSets: ReadonlyMap<string, string> = new Map(
  [join(chart, 'examples'), join(__dirname, 'values')].flatMap((folder) =>
    readdirSync(folder).map((file): [string, string] => [file.replace('.yaml', ''), join(folder, file)]),
  ),
);

const fileOf = (set: string): string => {
  const file = valueSets.get(set);
  if (file === undefined) throw new Error(`There is no value set ${set}.`);
  return file;
};

/** What each command line gave: a process of its own for each costs 0.2 s. */
const answers = new Map<string, Answer>();

/** helm template with a value set, and values over it as JSON: {'jobs.sources': []}. The same arguments give the same answer again. */
export const template = (set: string, over: Readonly<Record<string, unknown>> = {}, into = namespace): Answer => {
  const args = [
    ...['template', 'fleet', chart, '--namespace', into, '--values', fileOf(set)],
    ...Object.entries(over).flatMap(([key, value]) => ['--set-json', `${key}=${JSON.stringify(value)}`]),
  ];
  const key = args.join('\0');
  const answer = answers.get(key) ?? run('helm', args);
  answers.set(key, answer);
  return answer;
};

export const lint = (set: string): Answer =>
  run('helm', ['lint', '--strict', chart, '--namespace', namespace, '--values', fileOf(set)]);

export const objectsOf = (text: string): readonly Rendered[] =>
  (loadAll(text) as (Rendered | null)[]).filter((object) => object !== null);

/** @throws Error with what helm said */
export const render = (
  set: string,
  over: Readonly<Record<string, unknown>> = {},
  into = namespace,
): readonly Rendered[] => {
  const answer = template(set, over, into);
  if (!answer.ok) throw new Error(answer.all);
  return objectsOf(answer.output);
};

export interface RenderedPod {
  readonly owner: Rendered;
  readonly labels: Readonly<Record<string, string>>;
  readonly spec: V1PodSpec;
}

interface PodTemplate {
  readonly metadata?: { readonly labels?: Readonly<Record<string, string>> };
  readonly spec: V1PodSpec;
}

/** Every pod that the objects make, hooks and tests included. */
export const podsOf = (objects: readonly Rendered[]): readonly RenderedPod[] =>
  objects.flatMap((owner) => {
    const made =
      owner.kind === 'Pod'
        ? { metadata: owner.metadata, spec: owner.spec }
        : (owner.spec?.template as PodTemplate | undefined);
    if (made?.spec === undefined) return [];
    return [{ owner, labels: made.metadata?.labels ?? {}, spec: made.spec as V1PodSpec }];
  });

/** The object of this kind whose name ends so. */
export const find = (objects: readonly Rendered[], kind: string, ending: string): Rendered => {
  const found = objects.find((object) => object.kind === kind && object.metadata.name.endsWith(ending));
  if (found === undefined) throw new Error(`There is no ${kind} …${ending}.`);
  return found;
};
