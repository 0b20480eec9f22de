import { readFileSync } from 'node:fs';
import { Fault, type FieldProblem } from '@fleet/contracts/faults';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020';
import { load } from 'js-yaml';
import { kubernetesSettings, type KubernetesSettings } from './kubernetes-settings';

/**
 * Reads the settings file, YAML or JSON, and applies the defaults of its schema.
 * @throws Fault `kubernetes.settings_unreadable`, or `kubernetes.settings_invalid` with every problem, by field.
 */
export const loadKubernetesSettings = (path: string): KubernetesSettings => {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new Fault('kubernetes.settings_unreadable', 'caller', `${path} cannot be read`, { cause });
  }
  return parseKubernetesSettings(text, path);
};

/** Like `loadKubernetesSettings`, for a text; `origin` names it in errors. */
export const parseKubernetesSettings = (text: string, origin: string): KubernetesSettings => {
  let content: unknown;
  try {
    content = load(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw invalid(origin, [{ field: origin, reason: `is not YAML: ${reason}` }]);
  }
  const ajv = new Ajv2020({ allErrors: true, useDefaults: true, verbose: true, strict: true, strictRequired: false });
  const validate = ajv.compile<KubernetesSettings>(kubernetesSettings);
  const settings = content;
  if (!validate(settings)) throw invalid(origin, (validate.errors ?? []).filter(speaks).map(problemOf));
  const problems = contradictions(settings);
  if (problems.length > 0) throw invalid(origin, problems);
  return settings;
};

const invalid = (origin: string, problems: readonly FieldProblem[]): Fault => {
  const listed = problems.map(
    ({ field, reason, allowed }) => `${field} ${reason}${allowed === undefined ? '' : ` (allowed: ${allowed})`}`,
  );
  return new Fault('kubernetes.settings_invalid', 'caller', `${origin} is invalid: ${listed.join('; ')}`, {
    problems,
  });
};

/** For a choice between shapes, the error of the choice is enough. */
const speaks = ({ schemaPath }: ErrorObject): boolean => !/\/oneOf\/\d|\/propertyNames\//.test(schemaPath);

const fieldOf = (pointer: string, key?: unknown): string =>
  [...pointer.split('/'), typeof key === 'string' ? key : ''].filter((part) => part !== '').join('.') || 'the file';

const problemOf = ({ instancePath, keyword, params, message, parentSchema }: ErrorObject): FieldProblem => {
  const details = params as Readonly<Record<string, unknown>>;
  switch (keyword) {
    case 'additionalProperties': {
      const known = Object.keys((parentSchema as { properties?: object } | undefined)?.properties ?? {});
      const field = fieldOf(instancePath, details.additionalProperty);
      return { field, reason: 'is not known', ...(known.length > 0 && { allowed: known.join(', ') }) };
    }
    case 'required':
      return { field: fieldOf(instancePath, details.missingProperty), reason: 'is missing' };
    case 'enum':
      return {
        field: fieldOf(instancePath),
        reason: 'has another value',
        allowed: (details.allowedValues as string[]).join(', '),
      };
    case 'oneOf':
      return { field: fieldOf(instancePath), reason: 'needs exactly one of claim, nfs and hostPath' };
    case 'not':
      return { field: fieldOf(instancePath), reason: 'names both phenixDir and openPhenixDir', allowed: 'one of them' };
    default:
      return { field: fieldOf(instancePath), reason: message ?? keyword };
  }
};

/** Problems that a schema cannot express. */
const contradictions = (settings: KubernetesSettings): readonly FieldProblem[] => {
  const problems: FieldProblem[] = [];
  const names = settings.sources.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) problems.push({ field: 'sources', reason: `has two sources named ${twice}` });
  const rises = settings.memoryClassesMiB.every((size, index, all) => size > (all[index - 1] ?? 0));
  if (!rises) problems.push({ field: 'memoryClassesMiB', reason: 'must rise from class to class' });
  const { work, data, software } = settings.volumes;
  const paths = [work, ...data, ...software].map(({ mountPath }) => mountPath);
  const clash = paths.find((path, index) => paths.indexOf(path) !== index);
  if (clash !== undefined) problems.push({ field: 'volumes', reason: `mounts two volumes at ${clash}` });
  const taken = paths.find((path) => reserved.some((own) => path === own || own.startsWith(`${path}/`)));
  if (taken !== undefined) {
    problems.push({ field: 'volumes', reason: `mounts over ${taken}, which Jobs need for themselves` });
  }
  return problems;
};

/** Folders of a Job's pod that the Job itself uses. */
const reserved = ['/tmp', '/opt/phenix-fleet'];
