import { readFileSync } from 'node:fs';
import type { ModelBudgets } from '@fleet/ports';
import { errnoOf } from '@fleet/contracts/faults';
import type { ModelProtocol } from '@fleet/contracts/models';
import { mistakesIn } from '@fleet/contracts/schema';
import { ConfigError, isPrivateAddress, readSecretFile, type ConfigProblem } from '@fleet/config';
import { CORE_SCHEMA, load } from 'js-yaml';
import type { TargetSettings } from '../target-settings';
import { modelsSchema, type ModelsFile, type TargetOptions } from './models-schema';

const variable = 'FLEET_MODELS_FILE';

interface ProtocolDefaults {
  readonly baseUrl: string;
  /** The planning model of the PHENIX AI Agent. */
  readonly model?: string;
  /** Its model for reading advice; absent: the same. */
  readonly reader?: string;
  /** Its model for log summaries; absent: the same. */
  readonly cheap?: string;
  readonly sendsSchema: boolean;
  readonly contextTokens: number;
}

const defaults: Readonly<Record<ModelProtocol, ProtocolDefaults>> = {
  openai: {
    baseUrl: 'https://api.openai.com/v1',
    model: 'gpt-5',
    cheap: 'gpt-5-nano',
    sendsSchema: true,
    contextTokens: 128_000,
  },
  anthropic: { baseUrl: 'https://api.anthropic.com', sendsSchema: false, contextTokens: 128_000 },
  google: {
    baseUrl: 'https://generativelanguage.googleapis.com',
    model: 'gemini-2.5-pro',
    reader: 'gemini-2.0-flash',
    cheap: 'gemini-2.5-flash-lite',
    sendsSchema: true,
    contextTokens: 128_000,
  },
  ollama: {
    baseUrl: 'http://127.0.0.1:11434',
    model: 'qwen3:32b',
    cheap: 'qwen2.5:7b',
    sendsSchema: true,
    contextTokens: 32_768,
  },
};

/** Hosted models answer soon or not at all; a local one may have to be loaded, and is slow. */
const patience = {
  hosted: { first_s: 60, idle_s: 30, total_s: 120 },
  local: { first_s: 120, idle_s: 60, total_s: 200 },
};

type Refuse = (field: string, reason: string, allowed?: string) => void;

const wrongWithUrl = (address: string, hasKey: boolean): string | undefined => {
  const url = URL.parse(address);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return 'is not an http or https URL';
  if (url.username !== '' || url.password !== '' || /[?#]/.test(address))
    return 'contains a user, a query or a fragment';
  return hasKey && !isPrivateAddress(address) ? 'is http: the key would be sent unencrypted' : undefined;
};

const checkUrl = (
  { protocol, base_url: baseUrl, local = false, key_file: keyFile }: TargetOptions,
  refuse: Refuse,
): void => {
  if (baseUrl === undefined) {
    if (local && protocol !== 'ollama')
      refuse('local', 'is true, but without a base_url requests go to the vendor', 'a base_url within the site');
    return;
  }
  const wrong = wrongWithUrl(baseUrl, keyFile !== undefined);
  if (wrong !== undefined) refuse('base_url', wrong, 'https://host/path; http only without a key, or on this machine');
};

const checkTarget = (target: TargetOptions, localOnly: boolean, refuse: Refuse): void => {
  const { protocol, local = false, model } = target;
  checkUrl(target, refuse);
  if (model === undefined && defaults[protocol].model === undefined)
    refuse('model', `is missing, and ${protocol} has no default`, 'the name of a model');
  if (localOnly && !local) refuse('local', 'is not true, but local_only is', 'targets with `local: true`');
};

/** Each list of targets by its field, and whether each target exists. */
const checkChains = (
  chains: Readonly<Record<string, readonly string[]>>,
  ids: readonly string[],
  refuse: Refuse,
): void => {
  for (const [field, wanted] of Object.entries(chains))
    wanted.forEach((id, index) => {
      if (!ids.includes(id)) refuse(`${field}[${index}]`, `"${id}" is not a target`, ids.join(', '));
    });
};

const checkProviders = ({ providers = [] }: ModelsFile, ids: readonly string[], refuse: Refuse): void => {
  const names = providers.map(({ name }) => name);
  providers.forEach(({ name, targets }, index) => {
    if (names.indexOf(name) !== index) refuse(`providers[${index}].name`, `"${name}" stands twice`);
    checkChains({ [`providers[${index}].targets`]: targets }, ids, refuse);
  });
};

const checkFile = (options: ModelsFile, refuse: Refuse): void => {
  const { targets, roles, local_only: localOnly = false } = options;
  const ids = targets.map(({ id }) => id);
  ids.forEach((id, index) => {
    if (ids.indexOf(id) !== index) refuse(`targets[${index}].id`, `"${id}" stands twice`);
  });
  targets.forEach((target, index) =>
    checkTarget(target, localOnly, (field, reason, allowed) => refuse(`targets[${index}].${field}`, reason, allowed)),
  );
  checkChains(
    Object.fromEntries(Object.entries(roles).map(([role, wanted]) => [`roles.${role}`, wanted])),
    ids,
    refuse,
  );
  checkProviders(options, ids, refuse);
};

const keyIn = (file: string, workRoot: string): string => {
  const allowed =
    'a file with one line of visible ASCII characters, readable by its owner only, outside the work folder';
  const refused = (reason: string): ConfigError => new ConfigError([{ variable, reason, allowed }]);
  let key: string;
  try {
    key = readSecretFile({ variable, allowed, file, maxBytes: 8192, workRoot }).trim();
  } catch (error) {
    const code = errnoOf(error);
    if (code === undefined) throw error;
    throw refused(`key_file "${file}" cannot be read (${code})`);
  }
  if (!/^[\x21-\x7e]+$/.test(key)) throw refused(`key_file "${file}" contains no key; its content is not shown`);
  return key;
};

const settingsOf = (given: TargetOptions, workRoot: string, usualModel: string): TargetSettings => {
  const { id, protocol, local = false, key_file: keyFile, temperature, price } = given;
  const { baseUrl, contextTokens, sendsSchema } = defaults[protocol];
  const usual = { base_url: baseUrl, model: usualModel, context_tokens: contextTokens, sends_schema: sendsSchema };
  const options = { ...usual, max_output_tokens: 4_096, ...patience[local ? 'local' : 'hosted'], ...given };
  return {
    id,
    protocol,
    local,
    baseUrl: options.base_url.replace(/\/+$/, ''),
    model: options.model,
    contextTokens: options.context_tokens,
    maxOutputTokens: options.max_output_tokens,
    sendsSchema: options.sends_schema,
    limits: { firstMs: options.first_s * 1000, idleMs: options.idle_s * 1000, totalMs: options.total_s * 1000 },
    ...(temperature !== undefined && { temperature }),
    ...(price !== undefined && { price }),
    ...(keyFile !== undefined && { key: keyIn(keyFile, workRoot) }),
  };
};

const parsed = (path: string): unknown => {
  try {
    return load(readFileSync(path, 'utf8'), { schema: CORE_SCHEMA });
  } catch (error) {
    const reason = `"${path}" cannot be read as YAML: ${error instanceof Error ? error.message : String(error)}`;
    throw new ConfigError([{ variable, reason, allowed: 'docs/models.md has an example' }]);
  }
};

/** The models behind one provider name of v2 requests. */
interface ProviderSettings {
  readonly name: string;
  /** Tried in this order. */
  readonly targets: readonly TargetSettings[];
}

/** The configured uses of models. */
export interface ModelsSettings {
  /** Targets that choose the next program, in order. */
  readonly planning: readonly TargetSettings[];
  /** Targets that read advice, in order; empty: only the rules read it. */
  readonly directives: readonly TargetSettings[];
  /** Targets that assess sessions, in order; empty: only the rules do. */
  readonly analysis: readonly TargetSettings[];
  /** Targets that summarise logs, in order; empty: only the rules do. */
  readonly cheap: readonly TargetSettings[];
  /** Providers for requests of the v2 decision API, in order; empty: the rules answer them. */
  readonly providers: readonly ProviderSettings[];
  readonly budgets: ModelBudgets;
}

/**
 * Reads a site's models file; keys come from the files that it names.
 * @param workRoot absolute: keys must be outside it
 * @throws ConfigError with all problems, by field
 */
export const readModelsFile = (path: string, workRoot: string): ModelsSettings => {
  const content = parsed(path);
  const problems: ConfigProblem[] = [];
  const refuse: Refuse = (field, reason, allowed) =>
    void problems.push({ variable, reason: `${field} ${reason}`, ...(allowed !== undefined && { allowed }) });
  for (const { field, reason, allowed } of mistakesIn(modelsSchema, content, { at: 'file', most: 20 }))
    refuse(field.replace(/^file\./, ''), reason, allowed);
  const options = content as ModelsFile;
  if (problems.length === 0) checkFile(options, refuse);
  if (problems.length > 0) throw new ConfigError(problems);
  const byId = new Map(options.targets.map((target) => [target.id, target]));
  const targetsOf = (ids: readonly string[], usual: (of: ProtocolDefaults) => string | undefined) =>
    ids
      .flatMap((id) => byId.get(id) ?? [])
      .map((target) => settingsOf(target, workRoot, usual(defaults[target.protocol]) ?? ''));
  const planners = (ids: readonly string[]) => targetsOf(ids, ({ model }) => model);
  return {
    planning: planners(options.roles.planning),
    directives: targetsOf(options.roles.directives ?? [], ({ model, reader = model }) => reader),
    analysis: targetsOf(options.roles.analysis ?? [], ({ model }) => model),
    cheap: targetsOf(options.roles.cheap ?? [], ({ model, cheap = model }) => cheap),
    providers: (options.providers ?? []).map(({ name, targets }) => ({ name, targets: planners(targets) })),
    budgets: options.budgets ?? {},
  };
};
