import { type QueueName, type StepRetry, type StepState, usualRetriesPerMinute } from '@fleet/contracts/queues';
import { routes } from '@fleet/contracts/routes';
import { collectBody, ProblemList, refuseProblems } from '@fleet/problems';

/** A filter of dead steps. */
export interface DeadStepFilter {
  readonly queue?: QueueName;
  readonly cause?: string;
  /** Absent: those whose sessions still need them. */
  readonly state?: StepState;
}

/** Steps by their ids, or all of a cause. */
export type ChosenSteps = { readonly steps: readonly string[] } | { readonly cause: string };

const chosenIn = ({ steps, cause }: Partial<StepRetry>, problems: ProblemList): ChosenSteps => {
  if (problems.isEmpty && (steps === undefined) === (cause === undefined)) {
    const problem = steps === undefined ? 'neither is given' : 'both are given';
    problems.add('field.value', 'steps', problem, 'exactly one of steps and cause');
  }
  refuseProblems(problems);
  return cause === undefined ? { steps: steps ?? [] } : { cause };
};

/** @throws Fault `request.invalid` with all problems */
export const readStepRetry = (body: unknown): { readonly chosen: ChosenSteps; readonly perMinute: number } => {
  const problems = new ProblemList();
  const { perMinute = usualRetriesPerMinute, ...fields } = collectBody(routes.deadSteps.retry, body, problems);
  return { chosen: chosenIn(fields, problems), perMinute };
};

/** @throws Fault `request.invalid` with all problems */
export const readStepDrop = (body: unknown): { readonly chosen: ChosenSteps; readonly reason: string } => {
  const problems = new ProblemList();
  const { reason = '', ...fields } = collectBody(routes.deadSteps.drop, body, problems);
  return { chosen: chosenIn(fields, problems), reason: reason.trim() };
};
