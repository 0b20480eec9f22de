import { Option, type Command } from 'commander';
import type { QuerySchemas } from '@fleet/contracts/route';
import type { JsonSchema } from '@fleet/contracts/schema';

/** Placeholder of a parameter's value in the help. */
const valueOf = (name: string, { type, format, enum: choices }: JsonSchema): string => {
  if (choices !== undefined) return name;
  if (format === 'date-time') return 'time';
  return type === 'number' || type === 'integer' ? 'number' : 'text';
};

/**
 * Adds an option for each query parameter of a route (`--min-r-free` for `minRFree`), with its description and its
 * choices.
 * @param without parameters that the command offers in another form, or sets itself
 */
export const addQueryOptions = (
  command: Command,
  { query }: { readonly query: QuerySchemas },
  without: readonly string[] = [],
): Command => {
  for (const [name, schema] of Object.entries(query).filter(([one]) => !without.includes(one))) {
    const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const option = new Option(`--${flag} <${valueOf(name, schema)}>`, schema.description);
    command.addOption(schema.enum === undefined ? option : option.choices(schema.enum.map(String)));
  }
  return command;
};
