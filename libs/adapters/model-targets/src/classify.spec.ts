import { classify } from './classify';

describe('the classification of a failure', () => {
  it.each([
    [{ status: 429, body: 'check your plan and billing details' }, 'quota'],
    [{ status: 429, body: 'check your plan and billing details', retryAfterMs: 7_000 }, 'rate_limit'],
    [{ status: 402, body: '' }, 'quota'],
    [{ status: 403, body: 'no' }, 'auth'],
    [{ status: 408, body: '' }, 'unavailable'],
    [{ status: 413, body: '{"error":{"message":"request_too_large"}}' }, 'overflow'],
    [{ status: 400, body: '{"error":{"code":"content_filter","message":"filtered"}}' }, 'refused'],
    [{ status: 422, body: 'extra fields' }, 'bad_request'],
  ] as const)('%o: %s', (seen, expected) => {
    expect(classify(seen, undefined).class).toBe(expected);
  });

  it('returns one short line of plain text for any response', () => {
    const body = `<html>\u0000\u001b[31m<p>line\r\nline</p>${'x'.repeat(900)}`;
    const { why } = classify({ status: 502, body }, undefined);
    expect(why).toMatch(/^it answered 502: \[31m line line x+$/);
    expect(why.length).toBeLessThan(230);
  });

  it.each([
    ['Overloaded', 'unavailable'],
    ['rate_limit_error: slow down', 'rate_limit'],
    ['prompt is too long', 'overflow'],
    ['Unexpected token < in JSON', 'bad_answer'],
  ])('for an error in the middle of a stream: %s', (message, expected) => {
    expect(classify({ status: 200 }, new Error(message)).class).toBe(expected);
  });
});
