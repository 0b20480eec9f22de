import { fieldOf, mistakesIn, type Mistake } from '../schema/check';
import { directivesSchema, type SessionDirectives } from './directives';
import type { FieldProblem } from '../faults/fault';
import { without, type Path } from '../schema/without-mistakes';

const problemOf = ({ kind, path, field, reason, allowed, known }: Mistake): FieldProblem => {
  if (kind !== 'unknown') return { field, reason, allowed };
  if (known === undefined) return { field, reason: 'is not a program', allowed };
  return {
    field,
    reason: 'is not a directive',
    allowed: path.length === 1 ? `a section: ${allowed}` : `one of ${allowed}`,
  };
};

interface Named {
  readonly program: string;
  readonly path: Path;
}

/** Fields that contain program names, except for the settings. */
const programsIn = ({ stop_conditions = {}, workflow_preferences = {} }: SessionDirectives): readonly Named[] => [
  ...(['after_program', 'start_with_program'] as const).flatMap((key) => {
    const program = stop_conditions[key];
    return program === undefined ? [] : [{ program, path: ['stop_conditions', key] }];
  }),
  ...(['skip_programs', 'prefer_programs'] as const).flatMap((key) =>
    (workflow_preferences[key] ?? []).map((program, index) => ({
      program,
      path: ['workflow_preferences', key, index],
    })),
  ),
];

const programsWithSettings = ({ program_settings = {} }: SessionDirectives): readonly Named[] =>
  Object.keys(program_settings)
    .filter((name) => name !== 'default')
    .map((program) => ({ program, path: ['program_settings', program] }));

const ofThisService = 'a program that this service knows';

/**
 * Reads directives of a client. Invalid fields are removed and reported; the rest is valid.
 * @param programs names of all programs, if known
 */
export const parseDirectives = (
  value: unknown,
  programs?: ReadonlySet<string>,
): { readonly directives: SessionDirectives; readonly problems: readonly FieldProblem[] } => {
  const mistakes = mistakesIn(directivesSchema, value, { at: 'directives' });
  const problems = mistakes.map(problemOf);
  if (mistakes.some(({ path }) => path.length === 0)) return { directives: {}, problems };
  // Remove the invalid fields found above.
  const directives = without(
    value as SessionDirectives,
    mistakes.map(({ path }) => path),
  );
  if (programs === undefined) return { directives, problems };
  const isUnknown = ({ program }: Named): boolean => !programs.has(program);
  const named = programsIn(directives).filter(isUnknown);
  const withSettings = programsWithSettings(directives).filter(isUnknown);
  return {
    directives: without(
      directives,
      [...named, ...withSettings].map(({ path }) => path),
    ),
    problems: [
      ...problems,
      ...named.map(({ path }) => ({
        field: fieldOf('directives', path),
        reason: `must be ${ofThisService}`,
        allowed: ofThisService,
      })),
      ...withSettings.map(({ path }) => ({
        field: fieldOf('directives', path),
        reason: 'is not a program',
        allowed: `default or ${ofThisService}`,
      })),
    ],
  };
};
