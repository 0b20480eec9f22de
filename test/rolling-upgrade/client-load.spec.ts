import { sumOf } from './client-load';

describe('what clients saw', () => {
  it('is the number of requests, what failed in words, and the slowest', () => {
    const answers = [
      { path: '/v1/sessions', ms: 3.2, failure: '' },
      { path: '/v1/sessions/ID', ms: 40.7, failure: '503' },
    ];
    expect(sumOf(answers)).toEqual({ requests: 2, failures: ['/v1/sessions/ID: 503'], slowestMs: 41 });
  });

  it('is nothing where nobody asked', () => {
    expect(sumOf([])).toEqual({ requests: 0, failures: [], slowestMs: 0 });
  });
});
