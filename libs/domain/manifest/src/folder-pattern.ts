import type { FieldProblem } from '@fleet/contracts/faults';

/** One part of a path pattern: a name, or an expression with variables. */
export type PatternPart = { readonly name: string } | { readonly fits: RegExp };

/** `/data/mx1/{crystal}/*.mtz`, part by part. */
export interface FolderPattern {
  readonly parts: readonly PatternPart[];
}

const token = /\{([a-z][a-z0-9_]{0,63})\}|\*|[^{}*]+|[{}]/g;
const special = /[\\^$.|?+()[\]{}]/g;

/** Maximum number of wildcards in one name: each multiplies the time of a failed match. */
const maxOpenParts = 3;

const field = 'folder.pattern';

const expressionOf = (part: string, problems: FieldProblem[]): string => {
  const variables = new Set<string>();
  return Array.from(part.matchAll(token), ([text, variable]) => {
    if (text === '*') return '.*';
    if (variable === undefined) {
      if (text === '{' || text === '}')
        problems.push({ field, reason: 'holds a brace that names no variable', allowed: '{name} with a-z, 0-9 and _' });
      return text.replaceAll(special, '\\$&');
    }
    if (variables.has(variable)) return `\\k<${variable}>`;
    variables.add(variable);
    return `(?<${variable}>.+?)`;
  }).join('');
};

/**
 * Reads a pattern over a folder: `{name}` matches a part of a name and becomes a variable of the row, `*` matches anything inside a name; a
 * repeated variable must match the same text. Neither matches a slash.
 * @param base start of a relative pattern
 */
export const readFolderPattern = (
  pattern: string,
  base?: string,
): { readonly pattern: FolderPattern } | { readonly problems: readonly FieldProblem[] } => {
  const path = pattern.startsWith('/') || base === undefined ? pattern : `${base}/${pattern}`;
  const problems: FieldProblem[] = [];
  const names = path.split('/').slice(1);
  if (!path.startsWith('/')) problems.push({ field, reason: 'is not an absolute path', allowed: 'an absolute path' });
  if (names.some((name) => name === '' || name === '.' || name === '..' || name.includes('\0')))
    problems.push({ field, reason: 'has a part that is empty, "." or ".."', allowed: 'names between single slashes' });
  if (!/[{*]/.test(names.at(-1) ?? '') && !names.some((name) => /[{*]/.test(name)))
    problems.push({ field, reason: 'names one file', allowed: 'a pattern with {name} or *' });
  if (names.some((name) => (name.match(/\{|\*/g)?.length ?? 0) > maxOpenParts))
    problems.push({
      field,
      reason: 'has too many {name} and * in one name',
      allowed: `at most ${String(maxOpenParts)}`,
    });
  const parts = names.map((name): PatternPart =>
    /[{}*]/.test(name) ? { fits: new RegExp(`^${expressionOf(name, problems)}$`, 'su') } : { name },
  );
  return problems.length > 0 ? { problems } : { pattern: { parts } };
};
