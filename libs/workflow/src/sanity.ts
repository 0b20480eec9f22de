import { fillTemplate, holds } from '@fleet/knowledge-model';
import type { DescribedSession } from './describe-session';

export interface SanityIssue {
  readonly id: string;
  readonly level: 'critical' | 'warning';
  readonly message: string;
  readonly suggestion: string;
}

/** What looks wrong before a decision, critical issues first. */
export const sanityIssues = ({ workflow, facts }: DescribedSession): readonly SanityIssue[] =>
  workflow.checks
    .filter(({ when }) => holds(when, facts))
    .map(({ id, level, message, suggestion }) => ({ id, level, message: fillTemplate(message, facts), suggestion }))
    .toSorted((one, other) => Number(other.level === 'critical') - Number(one.level === 'critical'));
