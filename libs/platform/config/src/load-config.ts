import { validateSync } from 'class-validator';
import { ConfigError, type ConfigProblem } from './config.error';
import { readVariable, type Environment } from './read-variable';
import { configSections } from './sections';
import { unknownVariables } from './unknown-variables';
import { variablesOf, type VariableDefinition } from './variable.decorator';

export type SectionClass<T extends object = object> = new () => T;

/**
 * Reads one section of the configuration.
 * @throws ConfigError that names every invalid variable of the section and every unknown FLEET_ variable.
 */
export const loadConfig = <T extends object>(section: SectionClass<T>, env: Environment = process.env): T =>
  loadSections([section], env)[0];

/**
 * Reads several sections, and reports the problems of all of them at once.
 * @throws ConfigError
 */
export const loadSections = <T extends readonly object[]>(
  sections: { readonly [I in keyof T]: SectionClass<T[I]> },
  env: Environment = process.env,
): T => {
  const problems: ConfigProblem[] = [];
  const loaded = sections.map((section) => loadSection(section, env, problems));
  problems.push(...unknownVariables(env, configSections.flatMap(variablesOf)));
  if (problems.length > 0) throw new ConfigError(problems);
  return loaded as unknown as T;
};

const loadSection = <T extends object>(section: SectionClass<T>, env: Environment, problems: ConfigProblem[]): T => {
  const definitions = variablesOf(section);
  const instance = new section();
  const unread = new Set<string>();
  for (const definition of definitions) {
    const read = readVariable(definition, env);
    if ('problem' in read) {
      problems.push(read.problem);
      unread.add(definition.property);
    } else if (read.value !== undefined) {
      Reflect.set(instance, definition.property, read.value);
    }
  }
  problems.push(...invalidValues(instance, definitions, unread));
  return Object.freeze(instance);
};

const invalidValues = (
  instance: object,
  definitions: readonly VariableDefinition[],
  unread: ReadonlySet<string>,
): ConfigProblem[] =>
  validateSync(instance, { stopAtFirstError: true }).flatMap((error) => {
    const definition = definitions.find(({ property }) => property === error.property);
    if (definition === undefined || unread.has(error.property)) return [];
    const reason = Object.values(error.constraints ?? {})[0] ?? 'not allowed';
    return [
      {
        variable: definition.variable,
        reason: withValue(definition, error.value, reason),
        allowed: definition.allowed,
      },
    ];
  });

/** A path's reason already contains the path; a secret is never shown. */
const withValue = (definition: VariableDefinition, value: unknown, reason: string): string => {
  if (definition.secret) return `${reason}; its value is not shown`;
  return reason.includes('"') ? reason : `"${String(value)}" is ${reason}`.replace(' is has ', ' has ');
};
