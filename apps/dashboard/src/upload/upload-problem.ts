import { isApiError } from '@fleet/api-client';

/** Why a file was rejected: the gateway's message, without header names. */
export const uploadProblem = (error: unknown): string => {
  const problem = isApiError(error) ? error.problem : undefined;
  if (problem === undefined) return error instanceof Error ? error.message : String(error);
  if (problem.code !== 'request.invalid' || problem.problems === undefined) return problem.detail;
  const reasons = problem.problems.map(({ reason, allowed }) =>
    allowed === undefined ? reason : `${reason}; allowed is ${allowed}`,
  );
  return `${reasons.join('. ')}.`;
};
