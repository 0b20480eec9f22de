import type { Facts } from './conditions';

const placeholder = /\{([a-z0-9_.]+)(?::(\d))?\}/gi;

const shown = (value: NonNullable<Facts[string]>, decimals: string | undefined): string => {
  if (typeof value !== 'number') return String(value);
  if (decimals !== undefined) return value.toFixed(Number(decimals));
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(4)));
};

/** Names of the facts in a template such as `R-free {refine.r_free:3}`. */
export const factsOfTemplate = (template: string): readonly string[] =>
  [...template.matchAll(placeholder)].map((match) => match[1] ?? '');

/** Replaces facts; an unknown one becomes `unknown`. `:3` rounds to three decimals. */
export const fillTemplate = (template: string, facts: Facts): string =>
  template.replace(placeholder, (_whole, name: string, decimals: string | undefined) => {
    const value = facts[name];
    return value === undefined ? 'unknown' : shown(value, decimals);
  });

/** As `fillTemplate`, but undefined if a fact is unknown: for values in a command. */
export const fillKnownTemplate = (template: string, facts: Facts): string | undefined =>
  factsOfTemplate(template).every((name) => facts[name] !== undefined) ? fillTemplate(template, facts) : undefined;
