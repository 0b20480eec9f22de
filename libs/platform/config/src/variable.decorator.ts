import 'reflect-metadata';
import { IsIn, IsInt, IsNumber, IsOptional, Max, Min, ValidateBy } from 'class-validator';
import { dataRootForm, readDataRoot } from '@fleet/access';
import { fileProblem, folderProblem, plainFolderProblem, plainPathCharacters } from './path-problem';

type VariableKind = 'text' | 'integer' | 'number' | 'list';

/** One environment variable: its property, its meaning, its allowed values. */
export interface VariableDefinition {
  readonly property: string;
  readonly variable: string;
  /** One sentence with the unit, for the documentation. */
  readonly what: string;
  readonly kind: VariableKind;
  readonly allowed: string;
  readonly default?: string;
  /** True: the value is optional although it has no default. */
  readonly optional: boolean;
  /** True: the value is never printed, and `<variable>_FILE` may name a file with it. */
  readonly secret: boolean;
}

interface Described {
  readonly what: string;
  readonly default?: string;
  readonly optional?: boolean;
  readonly secret?: boolean;
}

const definitions = new WeakMap<object, VariableDefinition[]>();

/** The variables of a configuration class, in the order of its properties. */
export const variablesOf = (section: abstract new () => object): readonly VariableDefinition[] =>
  definitions.get(section.prototype as object) ?? [];

interface Declared extends Described {
  readonly kind: VariableKind;
  readonly allowed: string;
  readonly checks: readonly PropertyDecorator[];
}

const declare =
  (variable: string, declared: Declared): PropertyDecorator =>
  (target, property) => {
    const list = definitions.get(target) ?? [];
    definitions.set(target, [
      ...list,
      {
        property: String(property),
        variable,
        what: declared.what,
        kind: declared.kind,
        allowed: declared.allowed,
        ...(declared.default === undefined ? {} : { default: declared.default }),
        optional: declared.optional ?? false,
        secret: declared.secret ?? false,
      },
    ]);
    for (const check of declared.checks) check(target, property);
    if (declared.optional === true) IsOptional()(target, property);
  };

interface Range {
  readonly min: number;
  readonly max: number;
}

/** A whole number. */
export const IntegerVariable = (variable: string, { min, max, ...described }: Described & Range): PropertyDecorator =>
  declare(variable, {
    ...described,
    kind: 'integer',
    allowed: `an integer from ${String(min)} to ${String(max)}`,
    checks: [IsInt({ message: 'not an integer' }), Min(min, tooSmall(min)), Max(max, tooLarge(max))],
  });

/** A decimal number. */
export const NumberVariable = (variable: string, { min, max, ...described }: Described & Range): PropertyDecorator =>
  declare(variable, {
    ...described,
    kind: 'number',
    allowed: `a number from ${String(min)} to ${String(max)}`,
    checks: [IsNumber({}, { message: 'not a number' }), Min(min, tooSmall(min)), Max(max, tooLarge(max))],
  });

/** One of several words. */
export const ChoiceVariable = (
  variable: string,
  { choices, ...described }: Described & { readonly choices: readonly string[] },
): PropertyDecorator =>
  declare(variable, {
    ...described,
    kind: 'text',
    allowed: choices.join(', '),
    checks: [IsIn(choices, { message: 'not one of the choices' })],
  });

/** A comma-separated list of words. */
export const ChoicesVariable = (
  variable: string,
  { choices, ...described }: Described & { readonly choices: readonly string[] },
): PropertyDecorator =>
  TextVariable(variable, {
    ...described,
    pattern: /\S/,
    holds: (text) => text.split(',').every((word) => choices.includes(word.trim())),
    allowed: `some of ${choices.join(', ')} separated by commas`,
  });

interface Form {
  readonly pattern: RegExp;
  /** A check that a pattern cannot express. */
  readonly holds?: (text: string) => boolean;
  /** The form as text. */
  readonly allowed: string;
}

/** A text of a given form. */
export const TextVariable = (
  variable: string,
  { pattern, holds = () => true, allowed, ...described }: Described & Form,
): PropertyDecorator =>
  declare(variable, {
    ...described,
    kind: 'text',
    allowed,
    checks: [
      ValidateBy({
        name: 'form',
        validator: {
          validate: (value: unknown): boolean => typeof value === 'string' && pattern.test(value) && holds(value),
          defaultMessage: (): string => 'has the wrong form',
        },
      }),
    ],
  });

/** An absolute path of an existing file. */
export const FileVariable = (variable: string, described: Described): PropertyDecorator =>
  declare(variable, {
    ...described,
    kind: 'text',
    allowed: 'the absolute path of an existing file',
    checks: [without('existingFile', fileProblem)],
  });

/** An absolute path of an existing folder. */
export const FolderVariable = (variable: string, described: Described): PropertyDecorator =>
  declare(variable, {
    ...described,
    kind: 'text',
    allowed: 'the absolute path of an existing folder',
    checks: [existingFolders()],
  });

/** Like `FolderVariable`, without characters that a parameter parser could misinterpret. */
export const PlainFolderVariable = (variable: string, described: Described): PropertyDecorator =>
  declare(variable, {
    ...described,
    kind: 'text',
    allowed: `the absolute path of an existing folder, of ${plainPathCharacters}`,
    checks: [without('plainFolder', plainFolderProblem)],
  });

/** Colon-separated templates of data roots (`readDataRoot`) whose folders exist. */
export const DataRootsVariable = (variable: string, described: Described): PropertyDecorator =>
  declare(variable, {
    ...described,
    kind: 'list',
    allowed: `${dataRootForm}; separated by colons`,
    checks: [without('dataRoots', firstOf(rootProblem))],
  });

const rootProblem = (text: unknown): string | undefined => {
  const root = typeof text === 'string' ? readDataRoot(text) : 'is empty';
  return typeof root === 'string' ? `"${String(text)}" ${root}` : folderProblem(root.folder);
};

/** Colon-separated absolute paths of existing folders. */
export const FoldersVariable = (variable: string, described: Described): PropertyDecorator =>
  declare(variable, {
    ...described,
    kind: 'list',
    allowed: 'absolute paths of existing folders, separated by colons',
    checks: [existingFolders()],
  });

const tooSmall = (min: number): { message: string } => ({ message: `smaller than ${String(min)}` });
const tooLarge = (max: number): { message: string } => ({ message: `larger than ${String(max)}` });

/** Returns the problem of a value as text; undefined if it is valid. */
type ProblemOf = (value: unknown) => string | undefined;

/** A check that a value has no such problem, with the problem as its message. */
const without = (name: string, problemOf: ProblemOf): PropertyDecorator =>
  ValidateBy({
    name,
    validator: {
      validate: (value: unknown): boolean => problemOf(value) === undefined,
      defaultMessage: (args): string => problemOf(args?.value) ?? 'is wrong',
    },
  });

/** The first problem of one value or of several. */
const firstOf =
  (problemOf: ProblemOf): ProblemOf =>
  (value) => {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (values.length === 0) return 'names no folder';
    return values.map(problemOf).find((problem) => problem !== undefined);
  };

const existingFolders = (): PropertyDecorator => without('existingFolders', firstOf(folderProblem));
