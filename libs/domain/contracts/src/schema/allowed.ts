import type { JsonSchema } from './schema';

/** What is shown of a text. */
const longestShown = 100;

/** A value as a message shows it: short, on one line; of lists and objects only that they are. */
export const shown = (value: unknown): string => {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string' && value.length > longestShown)
    return `${JSON.stringify(value.slice(0, longestShown))}…`;
  if (typeof value === 'object' && value !== null) return 'an object';
  return value === undefined ? 'nothing' : JSON.stringify(value);
};

const rangeText = ({ minimum, exclusiveMinimum, maximum }: JsonSchema): string => {
  const from =
    exclusiveMinimum === undefined
      ? minimum === undefined
        ? ''
        : ` from ${String(minimum)}`
      : ` above ${String(exclusiveMinimum)}`;
  // What is exact as a number is not a bound that anybody meets.
  if (maximum === undefined || maximum === Number.MAX_SAFE_INTEGER) return from;
  return `${from}${exclusiveMinimum === undefined ? '' : ' and up'} to ${String(maximum)}`;
};

const nameOfType = {
  object: 'an object',
  array: 'a list',
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  null: 'null',
} as const;

/** What a schema allows, in words: `a whole number from 1 to 100`, `auto, xray, cryoem`. */
export const allowedText = (schema: JsonSchema): string => {
  const { type = [], items, maxLength } = schema;
  if (schema['x-allowed'] !== undefined) return schema['x-allowed'];
  if (schema.enum !== undefined) return schema.enum.join(', ');
  if (typeof type !== 'string') return type.map((one) => nameOfType[one]).join(', ');
  if (type === 'array' && items !== undefined) return `a list (each ${allowedText(items)})`;
  if (type === 'string' && maxLength !== undefined) return `text, at most ${String(maxLength)} characters`;
  return `${nameOfType[type]}${rangeText(schema)}`;
};
