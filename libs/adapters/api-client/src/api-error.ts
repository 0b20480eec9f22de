import type { ProblemDetails } from '@fleet/contracts/sessions';

/**
 * An error response. Its message is the gateway's, with every invalid field; terminal clients format it with `problem`.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    /** HTTP status; 0: no response. */
    readonly status: number,
    message: string,
    /** The gateway's problem details; undefined if something other than a gateway responded. */
    readonly problem?: ProblemDetails,
  ) {
    super(message);
  }

  /** Error code for comparisons; empty if no gateway sent one. */
  get code(): string {
    return this.problem?.code ?? '';
  }
}

/** By name, because in tests errors may come from another realm. */
export const isApiError = (error: unknown): error is ApiError => error instanceof Error && error.name === 'ApiError';

const isProblem = (value: unknown): value is ProblemDetails =>
  typeof value === 'object' && value !== null && 'code' in value && 'detail' in value && 'title' in value;

/** Parses JSON; undefined if invalid. */
export const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

/** The error for a response that is not from a gateway. */
export const strangerOf = ({ status, statusText }: Response): ApiError =>
  new ApiError(status, `${String(status)} ${statusText}`);

/** Converts an error response; reads its body. */
export const errorOf = async (answer: Response): Promise<ApiError> => {
  const problem = readJson(await answer.text());
  if (!isProblem(problem)) return strangerOf(answer);
  const fields = (problem.problems ?? []).map(({ field, reason }) => `${field}: ${reason}`);
  return new ApiError(answer.status, [problem.detail, ...fields].join(' '), problem);
};
