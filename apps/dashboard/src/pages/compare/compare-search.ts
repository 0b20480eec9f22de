/** URL parameters: two sessions side by side. */
export interface CompareSearch {
  readonly left?: string;
  readonly right?: string;
}

export const isSessionId = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-z]{26}$/.test(value);

export const readCompareSearch = (raw: Readonly<Record<string, unknown>>): CompareSearch => ({
  ...(isSessionId(raw.left) && { left: raw.left }),
  ...(isSessionId(raw.right) && { right: raw.right }),
});
