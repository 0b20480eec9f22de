/** The kind of a fault: an error of the caller (never retried), a temporary one (retried), or a bug. */
export type FaultKind = 'caller' | 'not_found' | 'conflict' | 'transient' | 'bug';

/** One problem of an input: which field, why, what is allowed. */
export interface FieldProblem {
  readonly field: string;
  readonly reason: string;
  readonly allowed?: string;
  /** For programs: one of the codes of problems, or the code of another fault. */
  readonly code?: string;
}

/** An error with a stable code. Guards compare the name, because `instanceof` does not survive a queue or a second copy of a package. */
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

/** Whether a fault is transient: a retry may succeed. */
export const isTransient = (error: unknown): error is Fault & { readonly kind: 'transient' } =>
  isFault(error) && error.kind === 'transient';

/** Whether a retry may succeed: a transient fault, or a system error (a file or a connection: it has a code such as EIO). */
export const isPassing = (error: unknown): boolean =>
  isFault(error) ? isTransient(error) : /^E[A-Z]+$/.test(errnoOf(error) ?? '');

/** The error text for operators: the code of a fault, otherwise the name of the error, and its message. */
export const failureText = (error: unknown): string =>
  error instanceof Error ? `${isFault(error) ? error.code : error.name}: ${error.message}` : String(error);
