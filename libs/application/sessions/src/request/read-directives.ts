import { parseDirectives, type SessionDirectives } from '@fleet/contracts/guidance';
import type { ProblemList } from '@fleet/problems';
import type { SessionKnowledge } from '../session/session-ports';

/** Characters of the directives as JSON: they are stored with the session and read at every decision. */
const longest = 20_000;

/**
 * Reads structured directives (phenix-agent.md#directives); undefined if there are none. Every value of `program_settings` must have the type
 * that the knowledge gives the parameter.
 */
export const readDirectives = (
  value: unknown,
  knowledge: Pick<SessionKnowledge, 'programs' | 'checkSettings'>,
  problems: ProblemList,
): SessionDirectives | undefined => {
  if (value === undefined || value === null) return undefined;
  const length = JSON.stringify(value).length;
  if (length > longest) {
    const allowed = `at most ${String(longest)} characters`;
    problems.add('field.too_long', 'directives', `has ${String(length)} characters`, allowed);
    return undefined;
  }
  const names = knowledge.programs.length === 0 ? undefined : new Set(knowledge.programs);
  const { directives, problems: wrong } = parseDirectives(value, names);
  const settings = knowledge.checkSettings(directives.program_settings ?? {}, 'directives.program_settings');
  for (const { field, reason, allowed } of [...wrong, ...settings])
    problems.add('directive.invalid', field, reason, allowed);
  return Object.keys(directives).length === 0 ? undefined : directives;
};
