import type { SessionSettings } from '@fleet/contracts/service';
import { fillTemplate, holds } from '@fleet/knowledge-model';
import type { DescribedSession } from './describe-session';

export interface SanityIssue {
  readonly id: string;
  readonly level: 'critical' | 'warning';
  readonly message: string;
  readonly suggestion: string;
}

/** Problems before a decision, critical issues first. */
export const sanityIssues = ({ workflow, facts }: DescribedSession): readonly SanityIssue[] =>
  workflow.checks
    .filter(({ when }) => holds(when, facts))
    .map(({ id, level, message, suggestion }) => ({ id, level, message: fillTemplate(message, facts), suggestion }))
    .toSorted((one, other) => Number(other.level === 'critical') - Number(one.level === 'critical'));

/** The issue that ends a session at its next decision, subject to its two switches. */
export const abortingIssue = (
  issues: readonly SanityIssue[],
  { abort_on_red_flags, abort_on_warnings }: Pick<SessionSettings, 'abort_on_red_flags' | 'abort_on_warnings'>,
): SanityIssue | undefined =>
  issues.find(({ level }) => (level === 'critical' ? abort_on_red_flags : abort_on_warnings));
