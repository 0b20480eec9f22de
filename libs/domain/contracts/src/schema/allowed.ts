import type { JsonSchema } from './schema';

/** Maximum length of a quoted text. */
const longestShown = 100;

/** A value for a message: short, on one line; of lists and objects only the type. */
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
  // The bound of exact numbers is not worth mentioning.
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

/** The allowed values of a schema, in words: `a whole number from 1 to 100`, `auto, xray, cryoem`. */
export const allowedText = (schema: JsonSchema): string => {
  const { type = [], items, maxLength } = schema;
  if (schema['x-allowed'] !== undefined) return schema['x-allowed'];
  if (schema.enum !== undefined) return schema.enum.join(', ');
  if (typeof type !== 'string') return type.map((one) => nameOfType[one]).join(', ');
  if (type === 'array' && items !== undefined) return `a list (each ${allowedText(items)})`;
  if (type === 'string' && maxLength !== undefined) return `text, at most ${String(maxLength)} characters`;
  return `${nameOfType[type]}${rangeText(schema)}`;
};
