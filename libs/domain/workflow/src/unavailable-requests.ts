import type { SessionDirectives } from '@fleet/contracts/guidance';
import type { Session } from '@fleet/contracts/sessions';
import { matchesByName } from '@fleet/files';
import type { RuleBook } from '@fleet/knowledge-model';
import { isFirstOfAdvice } from './applied-requests';
import type { DescribedSession } from './describe-session';
import { whyItCannotRun, type NotOfferedProgram } from './not-offered';

/** A requested program or file that is unavailable. */
export interface UnavailableRequest {
  readonly asked: string;
  /** Directive that requests it. */
  readonly field: string;
  /** One clause. */
  readonly why: string;
}

interface Wanted {
  readonly program: string;
  readonly field: string;
  /** It was to run at once, so its current missing inputs count too. */
  readonly now?: true;
}

const wantedPrograms = ({
  stop_conditions = {},
  workflow_preferences = {},
  program_settings = {},
}: SessionDirectives): readonly Wanted[] => {
  const { start_with_program: first, after_program: last } = stop_conditions;
  const preferred = workflow_preferences.prefer_programs ?? [];
  return [
    ...(first === undefined
      ? []
      : [{ program: first, field: 'stop_conditions.start_with_program', now: true as const }]),
    ...(last === undefined ? [] : [{ program: last, field: 'stop_conditions.after_program' }]),
    ...preferred.map((program) => ({ program, field: 'workflow_preferences.prefer_programs' })),
    ...Object.keys(program_settings)
      .filter((program) => program !== 'default')
      .map((program) => ({ program, field: `program_settings.${program}` })),
  ];
};

/** Reasons that no later cycle removes: files may still appear, but a missing installation or an exclusion remains. */
const lasting: ReadonlySet<NotOfferedProgram['reason']> = new Set([
  'not_installed',
  'blocked',
  'skipped',
  'other_step',
]);

const unavailableFiles = ({ files: { all, preferences = {} } }: DescribedSession): readonly UnavailableRequest[] => {
  const { model, sequence, data_mtz, map_coeffs_mtz } = preferences;
  return Object.entries({ model, sequence, data_mtz, map_coeffs_mtz })
    .flatMap(([key, name]): [string, string][] => (name === undefined ? [] : [[key, name]]))
    .filter(([, name]) => !all.some(({ path }) => matchesByName(path, name)))
    .map(([key, name]) => ({ asked: name, field: `file_preferences.${key}`, why: 'it is not a file of this session' }));
};

const unavailablePrograms = (described: DescribedSession, ruleBook: RuleBook): readonly UnavailableRequest[] =>
  wantedPrograms(described.directives).flatMap(({ program, field, now }) => {
    const refusal = whyItCannotRun(program, described, ruleBook);
    return refusal !== undefined && (now === true || lasting.has(refusal.reason))
      ? [{ asked: program, field, why: refusal.why }]
      : [];
  });

/**
 * Requests of the submitter that cannot be fulfilled (phenix-agent.md#events). Reported once: at the first decision, and at the first one
 * after new advice.
 */
export const unavailableRequests = (
  described: DescribedSession,
  ruleBook: RuleBook,
  session: Pick<Session, 'cycles'>,
): readonly UnavailableRequest[] =>
  isFirstOfAdvice(described, session)
    ? [...unavailablePrograms(described, ruleBook), ...unavailableFiles(described)]
    : [];
