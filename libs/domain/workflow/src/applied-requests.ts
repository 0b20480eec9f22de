import { directivesInForce, type Session } from '@fleet/contracts/sessions';
import { baseName, namedBy, sessionFiles } from '@fleet/files';
import type { RuleBook } from '@fleet/knowledge-model';
import type { DescribedSession } from './describe-session';
import type { Menu } from './menu';

/** The first decision after the submission or after new advice. One-time reports are made in it. */
export const isFirstOfAdvice = (
  { steering }: Pick<DescribedSession, 'steering'>,
  { cycles }: Pick<Session, 'cycles'>,
): boolean => (cycles.at(-1)?.cycle ?? 0) <= (steering.adviceChangedAfter ?? 0);

/**
 * One sentence for each program that a directive excludes: in the first decision all of them, later only the programs of the current step.
 */
export const skippedRequests = (
  described: DescribedSession,
  { step }: Pick<Menu, 'step'>,
  { programs }: Pick<RuleBook, 'programs'>,
  session: Pick<Session, 'request' | 'cycles'>,
): readonly string[] => {
  const { file_preferences = {}, workflow_preferences = {} } = directivesInForce(session);
  const isFirst = isFirstOfAdvice(described, session);
  const ofStep = new Set(described.workflow.steps[step]?.programs.map(({ program }) => program));
  const skipped = (workflow_preferences.skip_programs ?? []).filter(
    (name) => (isFirst || ofStep.has(name)) && programs[name]?.experiments.includes(described.experiment) === true,
  );
  const isExcluded = namedBy(file_preferences.exclude ?? []);
  const excluded = isFirst ? sessionFiles(session).filter(({ path }) => isExcluded(path)) : [];
  return [
    ...skipped.map((name) => `${name}: left out, as the submitter asked`),
    ...excluded.map(({ path }) => `${baseName(path)}: not used, as the submitter asked`),
  ];
};
