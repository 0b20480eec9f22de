/** Whose problem it is: the caller's (never retried), a passing one (retried), or ours. */
export type FaultKind = 'caller' | 'not_found' | 'conflict' | 'transient' | 'bug';

/** One thing that is wrong with an input: which field, why, what is allowed. */
export interface FieldProblem {
  readonly field: string;
  readonly reason: string;
  readonly allowed?: string;
}

/** An error with a stable code. Guards compare the name, for `instanceof` does not survive a queue or a second copy of a package. */
export class Fault extends Error {
  override readonly name = 'Fault';
  constructor(
    /** `area.what`, for example `file.outside_root`; part of the API, never changed in place. */
    readonly code: `${string}.${string}`,
    readonly kind: FaultKind,
    message: string,
    readonly options: { readonly problems?: readonly FieldProblem[]; readonly cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
  }

  get problems(): readonly FieldProblem[] {
    return this.options.problems ?? [];
  }
}

export const isFault = (error: unknown): error is Fault => error instanceof Error && error.name === 'Fault';
