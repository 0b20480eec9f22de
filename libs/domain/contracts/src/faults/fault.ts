/** Whose problem it is: the caller's (never retried), a passing one (retried), or ours. */
export type FaultKind = 'caller' | 'not_found' | 'conflict' | 'transient' | 'bug';

/** One thing that is wrong with an input: which field, why, what is allowed. */
export interface FieldProblem {
  readonly field: string;
  readonly reason: string;
  readonly allowed?: string;
  /** For programs: one of the codes of problems, or the code of another fault. */
  readonly code?: string;
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

/** The system's code of an error (`ENOENT`), by its shape: `instanceof` does not survive a second copy of a class. */
export const errnoOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;

/** A fault of which another try may end otherwise. */
export const isTransient = (error: unknown): error is Fault & { readonly kind: 'transient' } =>
  isFault(error) && error.kind === 'transient';

/**
 * Whether another try of the same may end otherwise: a transient fault, or an error of the system (a file or a connection: it carries a
 * code such as EIO).
 */
export const isPassing = (error: unknown): boolean =>
  isFault(error) ? isTransient(error) : /^E[A-Z]+$/.test(errnoOf(error) ?? '');

/** What went wrong, for operators: the code of a fault, or else the name of the error, and its message. */
export const failureText = (error: unknown): string =>
  error instanceof Error ? `${isFault(error) ? error.code : error.name}: ${error.message}` : String(error);
