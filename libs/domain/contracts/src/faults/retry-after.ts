/**
 * Milliseconds of a `Retry-After` header with seconds or a date (RFC 9110, 10.2.3); undefined if it is invalid.
 * @param now milliseconds since the epoch
 */
export const readRetryAfter = (header: string | null | undefined, now: number): number | undefined => {
  if (header === undefined || header === null) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const until = Date.parse(header);
  return Number.isNaN(until) ? undefined : Math.max(0, until - now);
};
