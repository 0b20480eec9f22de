import type { WebhookMessage } from '@fleet/contracts/webhooks';
import { digestOf, type DigestFor } from './digest';

const to: DigestFor = {
  webhook: {
    id: '0123456789abcdef',
    about: { what: 'proposal', name: 'mx1234' },
    label: '',
    owner: 'ada',
    createdAt: '2026-11-20T08:00:00.000Z',
    everyMinutes: 10,
  },
  metrics: { r_free: { label: 'R-free', better: 'lower', decimals: 4, why: 'a test' } },
  linkBase: 'https://fleet.example.org',
};
const session = { id: 's1', title: 'crystal 7', proposal: 'mx1234', beamline: 'i04' };
const ended = (changes: Partial<WebhookMessage['data']> = {}): WebhookMessage => ({
  type: 'session.ended',
  timestamp: '2026-11-22T23:41:07.512Z',
  data: {
    sentence: 'The structure is solved as far as its numbers can tell.',
    next: 'Look at the model and its map before you use them.',
    session,
    cycle: 6,
    outcome: 'solved',
    reason: 'converged',
    fit: { metric: 'r_free', value: 0.21312, rWork: 0.187, resolution: 1.6, quality: 'good' },
    ...changes,
  },
});

describe('a digest', () => {
  it('contains the outcome of a session, how well it fits, what to do, and links to it and to unsubscribe', () => {
    expect(digestOf([ended()], to)).toEqual({
      subject: '[phenix-fleet] crystal 7 (mx1234, i04): solved',
      text: [
        'crystal 7 (mx1234, i04)',
        '  2026-11-22 23:41 UTC  solved. R-free 0.213, R-work 0.187, at 1.60 Å, good',
        '    The structure is solved as far as its numbers can tell.',
        '    Next: Look at the model and its map before you use them.',
        '  https://fleet.example.org/ui/sessions/s1',
        '  phx show s1',
        '',
        '--',
        'You receive this because ada subscribed on 2026-11-20: notifications for proposal mx1234, gathered for 10 minutes.',
        'To unsubscribe: phx webhooks remove 0123456789abcdef, by any member of the proposal.',
        '',
      ].join('\n'),
    });
  });

  it('groups the notices of one session under its title, and counts outcomes in its subject', () => {
    const other = ended({ session: { ...session, id: 's2', title: '' }, outcome: 'failed_science' });
    const cycle: WebhookMessage = {
      type: 'session.cycle_done',
      timestamp: '2026-11-22T23:40:00.000Z',
      data: { sentence: 'Cycle 5 is done.', next: 'Nothing.', session },
    };
    const { subject, text } = digestOf([cycle, other, ended()], to);
    expect(subject).toBe('[phenix-fleet] mx1234: 1 failed: science, 1 solved');
    expect(text.match(/crystal 7/g)).toHaveLength(1);
    expect(text.indexOf('Cycle 5')).toBeLessThan(text.indexOf('solved.'));
    expect(text).toContain('s2 (mx1234, i04)\n');
  });

  it('of a batch contains how to fetch its results', () => {
    const batch = { id: 'b1', title: 'a screen', proposal: 'mx1234' };
    const message: WebhookMessage = {
      type: 'batch.ended',
      timestamp: '2026-11-22T23:41:07.512Z',
      data: { sentence: 'All sessions of the batch have ended: 2 solved.', next: 'Fetch its results.', batch },
    };
    const { subject, text } = digestOf([message], { ...to, linkBase: '' });
    expect(subject).toBe('[phenix-fleet] batch a screen (mx1234): ended');
    expect(text).toContain('have ended: 2 solved.');
    expect(text).toContain('phx batch results b1');
    expect(text).not.toContain('/ui/');
  });

  it.each(['session.cycle_done', 'session.needs_attention', 'session.recovered'] as const)(
    'has one line as its subject for %s',
    (type) => {
      expect(digestOf([{ ...ended(), type }], to).subject).toMatch(/^\[phenix-fleet\] crystal 7 \(mx1234, i04\): ./);
    },
  );

  it('has a short subject for many notices, and states their number if nothing ended', () => {
    const long = ended({ session: { ...session, title: '\u{1f52c}'.repeat(200) } });
    expect(Array.from(digestOf([long], to).subject)).toHaveLength(120);
    const cycle: WebhookMessage = { ...ended(), type: 'session.cycle_done' };
    expect(digestOf([cycle, cycle], to).subject).toBe('[phenix-fleet] mx1234: 2 notices of 1 session');
  });

  it('shows external names in one line, whatever they contain', () => {
    const title = 'x\r\nBcc: eve@evil.net\r\n\r\n.\r\nMAIL FROM:<eve@evil.net>\u202e\u0000\u2028y';
    const { subject, text } = digestOf([ended({ session: { ...session, title } })], {
      ...to,
      webhook: { ...to.webhook, label: 'a\nb', owner: 'o\rp' },
    });
    expect(subject).not.toMatch(/[\p{Cc}\p{Zl}\u202e]/u);
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Zl}\u202e]/u);
    expect(text.split('\n')).toHaveLength(11);
  });
});
