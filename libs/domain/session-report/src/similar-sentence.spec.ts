import type { SimilarSession } from '@fleet/contracts/sessions';
import { similarSentence } from './index';

const similar = (changes: Partial<SimilarSession> = {}): SimilarSession => ({
  sessionId: '01jd7v9s6m2x4k8q0w5c3b1n7r',
  same: 'everything',
  title: 'lysozyme',
  status: 'completed',
  outcome: 'solved',
  createdAt: '2026-11-21T08:00:00.000Z',
  href: '/v1/sessions/01jd7v9s6m2x4k8q0w5c3b1n7r',
  ...changes,
});

describe('similarSentence', () => {
  it('names the session of the same submission and its outcome', () => {
    expect(similarSentence([similar()])).toBe(
      'The same was submitted before: session 01jd7v9s6m2x4k8q0w5c3b1n7r (solved).',
    );
  });

  it('reports if only the data are the same, and if there are several', () => {
    const running: SimilarSession = {
      sessionId: '01jd7v9s6m2x4k8q0w5c3b1n7s',
      same: 'data',
      title: 'lysozyme',
      status: 'running',
      createdAt: '2026-11-21T08:00:00.000Z',
      href: '/v1/sessions/01jd7v9s6m2x4k8q0w5c3b1n7s',
    };
    expect(similarSentence([running, similar({ same: 'data' })])).toBe(
      'The same data were submitted before, with other files, settings or advice: session 01jd7v9s6m2x4k8q0w5c3b1n7s (running) and others.',
    );
  });

  it('is empty for a new dataset', () => {
    expect(similarSentence([])).toBe('');
  });
});
