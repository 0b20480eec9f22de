import { isDescribed } from '@fleet/contracts/schema';
import type { SessionEvent } from '@fleet/contracts/sessions';
import { noticeSchema, webhookMessageSchema } from '@fleet/contracts/webhooks';
import { messageOf, noticesOf } from './notices';

const at = '2026-11-22T08:00:00.000Z';
const event = (type: SessionEvent['type'], data: SessionEvent['data'] = {}): SessionEvent => ({
  type,
  cycle: 3,
  at,
  message: 'phenix.refine failed on /data/secret/x.mtz',
  data,
});
const ended = (outcome: 'solved' | 'failed_science') => ({ stop: { reason: 'converged' as const }, outcome });
const subject = { id: 's1', title: 'lysozyme', proposal: 'mx1', beamline: 'i04', batch: undefined };

describe('notices of a transition', () => {
  it('are empty if nothing is worth reporting', () => {
    expect(noticesOf([event('thought'), event('attempt_started')])).toEqual([]);
  });

  it('are those of a cycle and of an end, in that order', () => {
    const done = event('cycle_complete', { program: 'phenix.refine', outcome: 'success', outputs: ['/work/x.pdb'] });
    expect(noticesOf([done, event('session_ended')], ended('solved'))).toEqual([
      { kind: 'session.cycle_done', at, cycle: 3, program: 'phenix.refine', result: 'success' },
      { kind: 'session.ended', at, cycle: 3, outcome: 'solved', reason: 'converged' },
    ]);
  });

  it('contain for an end how well the result fits, if that was measured', () => {
    const fit = { metric: 'r_free', value: 0.21, resolution: 1.6 };
    const [notice] = noticesOf([event('session_ended')], { ...ended('solved'), fit });
    expect(notice).toMatchObject({ kind: 'session.ended', fit });
    expect(notice && messageOf(notice, subject, '').data.fit).toEqual(fit);
  });

  it('request attention if action is needed', () => {
    const kinds = noticesOf([event('user_request_invalid'), event('session_ended')], ended('failed_science'));
    expect(kinds.map(({ kind }) => kind)).toEqual([
      'session.needs_attention',
      'session.ended',
      'session.needs_attention',
    ]);
  });

  it('contain for a recovery the state of the session', () => {
    expect(noticesOf([event('session_recovered', { status: 'running' })])).toEqual([
      { kind: 'session.recovered', at, cycle: 3, status: 'running' },
    ]);
    expect(noticesOf([event('session_recovered', { status: 'odd' })])).toEqual([
      { kind: 'session.recovered', at, cycle: 3 },
    ]);
  });

  it('become messages without paths and program output', () => {
    const events = [
      event('session_recovered', { status: 'running' }),
      event('cycle_complete', { program: 'phenix.refine', outcome: 'failed', outputs: ['/work/x.pdb'] }),
      event('user_request_invalid'),
      event('session_ended'),
    ];
    const notices = [
      ...noticesOf(events, ended('failed_science')),
      { kind: 'batch.ended', at, outcomes: { solved: 2, failed_science: 1 }, rejected: 1 } as const,
      { kind: 'session.files_expire', at, until: '2027-03-01T00:00:00.000Z' } as const,
    ];
    for (const notice of notices) {
      expect(isDescribed(noticeSchema, notice)).toBe(true);
      const message = messageOf(notice, subject, 'https://fleet.example.org');
      expect(isDescribed(webhookMessageSchema, message)).toBe(true);
      expect(JSON.stringify(message)).not.toMatch(/secret|\/work|\/data/);
    }
  });

  it('contain the outcome, what to do and a link', () => {
    const [notice] = noticesOf([event('session_ended')], ended('solved'));
    expect(notice && messageOf(notice, subject, 'https://fleet.example.org')).toEqual({
      type: 'session.ended',
      timestamp: at,
      data: {
        sentence: 'The structure is solved as far as its numbers can tell.',
        next: 'Look at the model and its map before you use them.',
        session: { id: 's1', title: 'lysozyme', proposal: 'mx1', beamline: 'i04' },
        cycle: 3,
        outcome: 'solved',
        reason: 'converged',
        links: {
          self: 'https://fleet.example.org/v1/sessions/s1',
          results: 'https://fleet.example.org/v1/sessions/s1/results',
        },
      },
    });
    const batch = messageOf({ kind: 'batch.ended', at, outcomes: { solved: 2 }, rejected: 1 }, subject, '');
    expect(batch.data).toMatchObject({
      sentence: 'All sessions of the batch have ended: 2 solved, 1 row refused.',
      batch: { id: 's1' },
      links: { self: '/v1/batches/s1' },
    });
  });
});
