import { shortName } from '@fleet/contracts/sessions';
import type { StrategyValue } from '@fleet/contracts/schema';
import { referencesTo } from '@fleet/files';
import {
  fillKnownTemplate,
  holds,
  isSameParameter,
  problemWithValue,
  problemWithRequest,
  strategyKeyNamed,
  type AutoFill,
  type Facts,
  type FillValue,
  type ProgramKnowledge,
  type StrategyKey,
} from '@fleet/knowledge-model';
import type { CommandRequest, DecidedKey, KeySource, OverruledValue, RejectedKey, SelectedFile } from './command-types';

/** A key in the command. */
export interface SetKey {
  readonly definition: StrategyKey;
  readonly value: StrategyValue;
  readonly source: KeySource;
  readonly why: string;
}

/** Results of the stages: keys in the command, rejected keys, and overridden values. */
export interface KeysFound {
  readonly set: readonly SetKey[];
  readonly rejected: readonly RejectedKey[];
  readonly overruled: readonly OverruledValue[];
}

/** The overridden value, if it differs. */
const givesWay = (
  { value }: SetKey,
  other: Omit<OverruledValue, 'key'>,
  { key }: StrategyKey,
): readonly OverruledValue[] => (String(value) === String(other.value) ? [] : [{ ...other, key }]);

/** A requested value for a key. */
interface KeyRequest {
  readonly key: string;
  readonly value: StrategyValue;
  readonly source: KeySource;
  readonly why: string;
  /** Meant for any program: ignored by one without the key. */
  readonly general?: true;
}

type Given = Readonly<Record<string, StrategyValue>>;

const requestsFor = (given: Given | undefined, common: Omit<KeyRequest, 'key' | 'value'>): readonly KeyRequest[] =>
  Object.entries(given ?? {}).map(([key, value]) => ({ key, value, ...common }));

/** A client's findings about runs on the selected files; for any program if they name none. */
const statedRequests = (
  { program, stated = [] }: CommandRequest,
  selected: readonly SelectedFile[],
): readonly KeyRequest[] => {
  const isSelected = referencesTo(selected.map(({ file }) => file.path));
  return stated
    .filter(({ programs }) => programs.length === 0 || programs.includes(program.name))
    .filter(({ file }) => isSelected(file))
    .flatMap(({ set, why, programs }) =>
      requestsFor(set, { source: 'recovery', why, ...(programs.length === 0 ? { general: true } : {}) }),
    );
};

/** Values of the submitter's conditions until a metric is reached. */
const heldRequests = ({ program, held = [] }: CommandRequest): readonly KeyRequest[] =>
  held
    .filter((one) => one.program === program.name || one.program === 'default')
    .map(({ program: whose, key, value, words }) => ({
      key,
      value,
      source: 'directive',
      why: `set by the submitter: "${words}"`,
      ...(whose === 'default' ? { general: true } : {}),
    }));

/**
 * All requested values, the strongest first: corrections after failures, the submitter's settings, the decision's values. From the second
 * attempt on the decision overrides the submitter, because it may correct a mistake of the first (phenix-agent.md#directives).
 */
const allRequests = (request: CommandRequest, selected: readonly SelectedFile[]): readonly KeyRequest[] => {
  const { program, strategy, settings, attempt = 0, recovery } = request;
  const learnt = [
    ...statedRequests(request, selected),
    ...requestsFor(recovery?.set, { source: 'recovery', why: recovery?.why.at(-1) ?? 'an earlier failure' }),
  ];
  const decided = requestsFor(strategy, { source: 'strategy', why: 'asked for' });
  const directed = [
    ...heldRequests(request),
    ...requestsFor(settings?.[program.name], { source: 'directive', why: 'set by the submitter' }),
    ...requestsFor(settings?.default, {
      source: 'directive',
      why: 'set by the submitter for all programs',
      general: true,
    }),
  ];
  return attempt === 0 ? [...learnt, ...directed, ...decided] : [...learnt, ...decided, ...directed];
};

/** Whether the program, or an earlier run of it, has refused this parameter. */
export const isRefused = (parameter: string, { refused = [], recovery }: CommandRequest): boolean =>
  [...refused, ...(recovery?.dropParameters ?? [])].some((name) => isSameParameter(parameter, name));

const isDropped = ({ key, parameter }: StrategyKey, request: CommandRequest): boolean =>
  request.recovery?.dropKeys.includes(key) === true || isRefused(parameter, request);

/** Computed once for each key, for all its sources. */
const droppedKeys = (request: CommandRequest): ((definition: StrategyKey) => boolean) => {
  const known = new Map<StrategyKey, boolean>();
  return (definition) => {
    const dropped = known.get(definition) ?? isDropped(definition, request);
    known.set(definition, dropped);
    return dropped;
  };
};

/** Why a requested value is rejected. */
const refusalOf = (one: KeyRequest, definition: StrategyKey, facts: Facts): string | undefined => {
  const wrong = problemWithRequest(definition, one.value);
  if (wrong !== undefined) return wrong.reason;
  if (definition.when === undefined || holds(definition.when, facts)) return undefined;
  return definition.otherwise ?? 'does not apply now';
};

/** Stage 2: the requested values, as far as the program has the keys. The rest is rejected, never dropped silently. */
export const givenKeys = (request: CommandRequest, facts: Facts, selected: readonly SelectedFile[]): KeysFound => {
  const { program } = request;
  const set: SetKey[] = [];
  const rejected: RejectedKey[] = [];
  const overruled: OverruledValue[] = [];
  const dropped = droppedKeys(request);
  for (const one of allRequests(request, selected)) {
    const { key, value, source, why } = one;
    const definition = strategyKeyNamed(program, key);
    if (definition === undefined) {
      if (one.general !== true) rejected.push({ key, why: `${program.name} has no such parameter` });
      continue;
    }
    const stronger = set.find((one) => one.definition === definition);
    if (stronger !== undefined) {
      overruled.push(...givesWay(stronger, { value, source, why }, definition));
      continue;
    }
    const refused = dropped(definition) ? 'made the program fail before' : refusalOf(one, definition, facts);
    if (refused === undefined) set.push({ definition, value, source, why });
    else rejected.push({ key, why: refused });
  }
  return { set, rejected, overruled };
};

const rounded = (value: StrategyValue, decimals: number | undefined): StrategyValue =>
  typeof value === 'number' && decimals !== undefined ? Number(value.toFixed(decimals)) : value;

const runLabel = (stem: string, program: ProgramKnowledge, facts: Facts): string => {
  const count = (family: string): number => Number(facts[`${family}.${shortName(program.name)}`] ?? 0);
  return `${stem}_${String(count('runs') + count('set_aside') + 1).padStart(3, '0')}`;
};

const valueOf = (fill: FillValue, program: ProgramKnowledge, facts: Facts): StrategyValue | undefined => {
  if ('constant' in fill) return fill.constant;
  if ('run_label' in fill) return runLabel(fill.run_label, program, facts);
  if ('template' in fill) return fillKnownTemplate(fill.template, facts);
  const value = facts[fill.fact];
  return value === undefined ? undefined : rounded(value, fill.decimals);
};

const filledKey = (
  { key, value, when, why }: AutoFill,
  program: ProgramKnowledge,
  facts: Facts,
): SetKey | undefined => {
  const definition = program.strategy.find((one) => one.key === key);
  if (definition === undefined || (when !== undefined && !holds(when, facts))) return undefined;
  const filled = valueOf(value, program, facts);
  return filled === undefined ? undefined : { definition, value: filled, source: 'autofill', why };
};

/**
 * Stage 3: fills unset keys; the first rule of a key that applies wins. Facts come from files and logs, so a value of the wrong type is
 * rejected here too.
 */
export const fillKeys = (request: CommandRequest, given: readonly SetKey[], facts: Facts): KeysFound => {
  const { program } = request;
  const set = [...given];
  const rejected: RejectedKey[] = [];
  const overruled: OverruledValue[] = [];
  for (const rule of program.auto_fill) {
    const known = set.find(({ definition }) => definition.key === rule.key);
    if (known?.source === 'autofill') continue;
    const filled = filledKey(rule, program, facts);
    if (filled === undefined || isDropped(filled.definition, request)) continue;
    if (known !== undefined) {
      if (!overruled.some(({ key }) => key === rule.key)) overruled.push(...givesWay(known, filled, filled.definition));
      continue;
    }
    const wrong = problemWithValue(filled.definition, filled.value);
    if (wrong === undefined) set.push(filled);
    else rejected.push({ key: rule.key, why: `${wrong.reason}; the files or logs say something else` });
  }
  return { set, rejected, overruled };
};

const defaultsUnder = ({ defaults }: ProgramKnowledge, key: SetKey): readonly OverruledValue[] =>
  defaults
    .filter(({ parameter }) => parameter === key.definition.parameter)
    .flatMap(({ value, why }) => givesWay(key, { value, source: 'default', why }, key.definition));

/** Keys of a command that are worth reporting: their source, and the overridden values. */
export const decidedKeys = (
  program: ProgramKnowledge,
  keys: readonly SetKey[],
  overruled: readonly OverruledValue[],
): readonly DecidedKey[] =>
  keys
    .map((one): DecidedKey => {
      const { definition, value, source, why } = one;
      const beaten = [...overruled.filter(({ key }) => key === definition.key), ...defaultsUnder(program, one)];
      const others = beaten.filter(
        (other, index) => beaten.findIndex((same) => String(same.value) === String(other.value)) === index,
      );
      return { key: definition.key, value, source, why, overruled: others };
    })
    .filter(
      ({ source, overruled: beaten }) =>
        source === 'directive' ||
        (source === 'recovery' && beaten.length > 0) ||
        beaten.some((other) => other.source === 'directive'),
    );
