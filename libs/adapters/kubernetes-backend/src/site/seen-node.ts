import { listIn, objectIn, wordIn, wordsIn, type Json } from '../api/json';

export interface Taint {
  readonly key: string;
  readonly value: string;
  readonly effect: string;
}

/** The fields of a node that decide whether it accepts a pod. */
export interface SeenNode {
  readonly name: string;
  readonly ready: boolean;
  readonly cordoned: boolean;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  /** By resource name; bytes, processors, units. */
  readonly allocatable: Readonly<Record<string, number>>;
}

const suffixes: Readonly<Record<string, number>> = {
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/** A Kubernetes quantity (`500m`, `16Gi`, `1e3`) as a number; NaN if invalid. */
export const quantity = (text: string): number => {
  const [, number = '', suffix = ''] = /^([+-]?[\d.]+(?:[eE][+-]?\d+)?)([A-Za-z]*)$/.exec(text) ?? [];
  return number === '' ? Number.NaN : Number(number) * (suffixes[suffix] ?? Number.NaN);
};

const isReady = (status: Json): boolean =>
  listIn(status.conditions).some(({ type, status: holds }) => type === 'Ready' && holds === 'True');

/** Undefined for an object without a name. */
export const seenNode = (raw: unknown): SeenNode | undefined => {
  const { metadata, spec, status } = objectIn(raw);
  const name = wordIn(objectIn(metadata).name);
  if (name === '') return undefined;
  return {
    name,
    ready: isReady(objectIn(status)),
    cordoned: objectIn(spec).unschedulable === true,
    labels: wordsIn(objectIn(metadata).labels),
    taints: listIn(objectIn(spec).taints).map(({ key, value, effect }) => ({
      key: wordIn(key),
      value: wordIn(value),
      effect: wordIn(effect),
    })),
    allocatable: Object.fromEntries(
      Object.entries(wordsIn(objectIn(status).allocatable)).map(([resource, text]) => [resource, quantity(text)]),
    ),
  };
};
