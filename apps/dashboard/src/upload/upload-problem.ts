import { isApiError } from '@fleet/api-client';

/** Why a file was not taken, in words: what the gateway says, without the names of its headers. */
export const uploadProblem = (error: unknown): string => {
  const said = isApiError(error) ? error.problem : undefined;
  if (said === undefined) return error instanceof Error ? error.message : String(error);
  if (said.code !== 'request.invalid' || said.problems === undefined) return said.detail;
  const reasons = said.problems.map(({ reason, allowed }) =>
    allowed === undefined ? reason : `${reason}; allowed is ${allowed}`,
  );
  return `${reasons.join('. ')}.`;
};
