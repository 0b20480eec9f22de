import { ApiFailure } from './api-failure';
import { retryAfterMs, retryDelay, type RetryPolicy } from './retry-policy';

const policy: RetryPolicy = { budgetMs: 10_000, firstDelayMs: 100, largestDelayMs: 2_000 };
const failure = (status: number | undefined, retryAfter?: number): ApiFailure =>
  new ApiFailure('create Job x', { status, reason: 'r', retryAfterMs: retryAfter }, 'm');

describe('a retry', () => {
  it.each([undefined, 429, 500, 502, 503, 504])('follows status %s', (status) => {
    expect(retryDelay(policy, failure(status), 1, 0, 1)).toBe(100);
  });

  it.each([400, 401, 403, 404, 409, 410, 422])('does not follow status %d', (status) => {
    expect(retryDelay(policy, failure(status), 1, 0, 1)).toBeUndefined();
  });

  it('does not follow an internal error', () => {
    expect(retryDelay(policy, new TypeError('x is undefined'), 1, 0, 1)).toBeUndefined();
  });

  it('doubles the delay up to a limit, with jitter from half to all of it', () => {
    expect([1, 2, 3, 4, 5, 6, 7].map((tries) => retryDelay(policy, failure(500), tries, 0, 1))).toEqual([
      100, 200, 400, 800, 1_600, 2_000, 2_000,
    ]);
    expect(retryDelay(policy, failure(500), 3, 0, 0)).toBe(200);
  });

  it('waits at least as long as the server requests', () => {
    expect(retryDelay(policy, failure(429, 1_500), 1, 0, 1)).toBe(1_500);
  });

  it('stops at the budget, also if the server requests a longer delay', () => {
    expect(retryDelay(policy, failure(500), 5, 9_000, 1)).toBeUndefined();
    expect(retryDelay(policy, failure(429, 60_000), 1, 0, 1)).toBeUndefined();
  });

  it.each([
    ['5', 5_000],
    ['0', 0],
    ['Sat, 21 Nov 2026 12:00:07 GMT', 7_000],
    ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
    ['soon', undefined],
    ['-1', undefined],
    [undefined, undefined],
  ])('reads Retry-After: %s', (header, expected) => {
    expect(retryAfterMs(header, Date.parse('2026-11-21T12:00:00Z'))).toBe(expected);
  });
});
