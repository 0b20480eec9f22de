/** What of the audit log is shown, as the address says it. */
export interface OperationsSearch {
  readonly who?: string;
  readonly cursor?: string;
}

/** Reads an address. */
export const readOperationsSearch = (raw: Readonly<Record<string, unknown>>): OperationsSearch =>
  Object.fromEntries(
    (['who', 'cursor'] as const).flatMap((name) => {
      const value = raw[name];
      return typeof value === 'string' && value !== '' ? [[name, value]] : [];
    }),
  );
