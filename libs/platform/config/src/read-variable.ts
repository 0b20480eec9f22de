import { readFileSync } from 'node:fs';
import type { ConfigProblem } from './config.error';
import type { VariableDefinition } from './variable.decorator';

export type Environment = Readonly<Record<string, string | undefined>>;

export type Read = { readonly value: unknown } | { readonly problem: ConfigProblem };

/**
 * The parsed value of a variable, its default, or why it is invalid. Empty counts as unset: charts pass empty strings.
 */
export const readVariable = (definition: VariableDefinition, env: Environment): Read => {
  const text = readText(definition, env);
  if (typeof text === 'object') return text;
  const value = text ?? definition.default;
  if (value !== undefined) return { value: coerce(definition, value) };
  if (definition.optional) return { value: undefined };
  return { problem: { variable: definition.variable, reason: 'is missing', allowed: definition.allowed } };
};

const readText = ({ variable, secret }: VariableDefinition, env: Environment): string | undefined | Read => {
  const direct = notEmpty(env[variable]);
  const file = secret ? notEmpty(env[`${variable}_FILE`]) : undefined;
  if (file === undefined) return direct;
  if (direct !== undefined)
    return { problem: { variable: `${variable}_FILE`, reason: `is set beside ${variable}; keep one of them` } };
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    const reason = `the file "${file}" cannot be read: ${error instanceof Error ? error.message : String(error)}`;
    return { problem: { variable: `${variable}_FILE`, reason, allowed: 'a file with the value' } };
  }
};

const notEmpty = (text: string | undefined): string | undefined => (text?.trim() === '' ? undefined : text?.trim());

/** Text that does not match its type stays text, and the validation rejects it. */
const coerce = ({ kind }: VariableDefinition, text: string): unknown => {
  switch (kind) {
    case 'text':
      return text;
    case 'list':
      return text.split(':').filter((part) => part !== '');
    case 'integer':
      return /^-?\d+$/.test(text) ? Number(text) : text;
    case 'number':
      return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  }
};
