import type { ProblemDetails } from '@fleet/contracts/sessions';

/**
 * An answer that is none of those that were asked for. Its message is what the gateway says, with every field that is wrong; clients for a
 * terminal word it with `problem`.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    /** Of HTTP; 0: nobody answered. */
    readonly status: number,
    message: string,
    /** What the gateway says is wrong; undefined where something answered that is not a gateway. */
    readonly problem?: ProblemDetails,
  ) {
    super(message);
  }

  /** What is wrong, for programs to compare; empty where no gateway says it. */
  get code(): string {
    return this.problem?.code ?? '';
  }
}

/** By name, for errors may come from another realm in tests. */
export const isApiError = (error: unknown): error is ApiError => error instanceof Error && error.name === 'ApiError';

const isProblem = (value: unknown): value is ProblemDetails =>
  typeof value === 'object' && value !== null && 'code' in value && 'detail' in value && 'title' in value;

/** The JSON of a text; undefined where it is none. */
export const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

/** The error that an answer is which is not a gateway's. */
export const strangerOf = ({ status, statusText }: Response): ApiError =>
  new ApiError(status, `${String(status)} ${statusText}`);

/** The error that an answer is; its body is read. */
export const errorOf = async (answer: Response): Promise<ApiError> => {
  const problem = readJson(await answer.text());
  if (!isProblem(problem)) return strangerOf(answer);
  const fields = (problem.problems ?? []).map(({ field, reason }) => `${field}: ${reason}`);
  return new ApiError(answer.status, [problem.detail, ...fields].join(' '), problem);
};
