/** URL parameters: the filter of the audit log. */
export interface OperationsSearch {
  readonly who?: string;
  readonly cursor?: string;
}

/** Reads the URL parameters. */
export const readOperationsSearch = (raw: Readonly<Record<string, unknown>>): OperationsSearch =>
  Object.fromEntries(
    (['who', 'cursor'] as const).flatMap((name) => {
      const value = raw[name];
      return typeof value === 'string' && value !== '' ? [[name, value]] : [];
    }),
  );
