import {
  Queues,
  stepDropSchema,
  stepRetrySchema,
  stepStandings,
  usualRetriesPerMinute,
  type QueueName,
  type Schema,
  type StepDrop,
  type StepRetry,
  type StepStanding,
} from '@fleet/contracts';
import { QueryReader, type Query } from '../http/read-query';
import { refuseProblems } from '../session-tools/reopen-session';
import { ProblemList } from '../submission/problem-list';
import { readBody } from '../submission/read-body';

/** Which dead steps are asked for. */
export interface DeadStepFilter {
  readonly queue?: QueueName;
  readonly cause?: string;
  /** Absent: those whose sessions still need them. */
  readonly standing?: StepStanding;
}

/** @throws ApiError `request.invalid` with every problem that was found */
export const readDeadStepQuery = (query: Query): { readonly filter: DeadStepFilter; readonly limit: number } => {
  const reader = new QueryReader(query, ['queue', 'cause', 'standing', 'limit']);
  const queue = reader.choice('queue', Object.values(Queues));
  const cause = reader.text('cause', /^[^\p{Cc}]{1,200}$/u, 'one line of text, at most 200 characters');
  const standing = reader.choice('standing', stepStandings);
  const limit = reader.integer('limit', { default: 100, min: 1, max: 1000 });
  reader.done();
  const filter = {
    ...(queue !== undefined && { queue }),
    ...(cause !== undefined && { cause }),
    ...(standing !== undefined && { standing }),
  };
  return { filter, limit };
};

/** Steps by their ids, or all of a cause. */
export type ChosenSteps = { readonly steps: readonly string[] } | { readonly cause: string };

const chosenIn = ({ steps, cause }: Partial<StepRetry>, problems: ProblemList): ChosenSteps => {
  if (steps !== undefined && cause === undefined) return { steps };
  if (cause !== undefined && steps === undefined) return { cause };
  const said = steps === undefined ? 'neither is given' : 'both are given';
  problems.add('field.value', 'steps', said, 'exactly one of steps and cause');
  return { steps: [] };
};

const readChosen = <T extends Partial<StepRetry>>(
  schema: Schema<T>,
  body: unknown,
): { readonly said: Partial<T>; readonly chosen: ChosenSteps } => {
  const problems = new ProblemList();
  const said = readBody(schema, body ?? {}, problems);
  const chosen = problems.isEmpty ? chosenIn(said, problems) : { steps: [] };
  refuseProblems(problems);
  return { said, chosen };
};

/** @throws ApiError `request.invalid` with everything that is wrong */
export const readStepRetry = (body: unknown): { readonly chosen: ChosenSteps; readonly perMinute: number } => {
  const { said, chosen } = readChosen<StepRetry>(stepRetrySchema, body);
  return { chosen, perMinute: said.perMinute ?? usualRetriesPerMinute };
};

/** @throws ApiError `request.invalid` with everything that is wrong */
export const readStepDrop = (body: unknown): { readonly chosen: ChosenSteps; readonly reason: string } => {
  const { said, chosen } = readChosen<StepDrop>(stepDropSchema, body);
  return { chosen, reason: (said.reason ?? '').trim() };
};
