import { queueStatusText } from './queue-status-text';

const now = Date.parse('2026-11-21T08:00:00.000Z');
const queueStatus = {
  reason: '12 programs run already, which is the limit',
  position: 3,
  of: 40,
  since: '2026-11-21T07:58:00.000Z',
  oldestSince: '2026-11-21T07:50:00.000Z',
};

it('contains the reason, the position, the longest wait, and the estimated start', () => {
  const start = '12 programs run already, which is the limit: number 3 of 40 in the queue, the oldest for 10 min 00 s';
  expect(queueStatusText(queueStatus, now)).toBe(start);
  expect(queueStatusText({ ...queueStatus, estimatedStart: '2026-11-21T08:05:00.000Z' }, now)).toBe(
    `${start}; at this pace it starts in about 5 min 00 s`,
  );
});
