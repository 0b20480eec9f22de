import { PlainFailedJobs } from '../api/failed-jobs.fake';
import { useStarted } from '@fleet/testing';
import { CliHarness } from './cli-harness';

describe('phx admin steps', () => {
  let failed: PlainFailedJobs;
  let id: string;
  const cli = useStarted('test', () => {
    failed = new PlainFailedJobs([]);
    return CliHarness.start({ failedJobs: failed });
  });
  beforeEach(async () => {
    id = await cli.aStored();
    failed.jobs = [
      {
        queue: 'decisions',
        id: `${id}-v1-w0`,
        job: 'decide',
        of: { sessionId: id, sessionVersion: 1 },
        reason: 'knowledge.invalid: a rule is damaged',
        failedAt: Date.parse('2026-11-23T08:00:00.000Z'),
        stack: ['Fault: a rule is damaged', '    at decide'],
      },
    ];
  });

  it('lists dead steps by cause, and shows one', async () => {
    const { code, out } = await cli.phx(['admin', 'steps', 'list']);
    expect(code).toBe(0);
    expect(out).toMatch(/^CAUSE +QUEUE +STEPS +OLDEST\nknowledge\.invalid +decisions +1 +2026-11-23T08:00:00\n\nSTEP /);
    expect(out).toMatch(/-v1 +decide +2026-11-23T08:00:00 +1 +is woken again +a rule is damaged\n$/);
    expect((await cli.phx(['admin', 'steps', 'list', '--state', 'given_up'])).out).toBe('No dead steps.\n');
    const shown = await cli.phx(['admin', 'steps', 'show', `${id}-v1`]);
    expect(shown.out).toMatch(/reason +knowledge\.invalid: a rule is damaged\nFault: a rule is damaged\n/);
    expect((await cli.phx(['admin', 'steps', 'show', 'nothing'])).code).toBe(4);
  });

  it('retries them, and reports when', async () => {
    const { code, out } = await cli.phx([
      'admin',
      'steps',
      'retry',
      '--cause',
      'knowledge.invalid',
      '--per-minute',
      '5',
    ]);
    expect([code, out]).toEqual([0, `retried in 0 s: ${id}-v1\n`]);
    expect(failed.jobs).toEqual([]);
    expect((await cli.phx(['admin', 'steps', 'retry', '--cause', 'knowledge.invalid'])).out).toBe(
      'No dead steps of this cause.\n',
    );
  });

  it('does not drop a step that its session needs, and exits with an error', async () => {
    const dropped = await cli.phx(['admin', 'steps', 'drop', `${id}-v1`, '--reason', 'withdrawn']);
    expect([dropped.code, dropped.out]).toEqual([3, expect.stringContaining('left unchanged') as string]);
    await cli.end(id, 'error');
    expect((await cli.phx(['admin', 'steps', 'drop', `${id}-v1`, '--reason', 'withdrawn'])).out).toBe(
      `dropped: ${id}-v1\n`,
    );
  });

  it.each([[['retry']], [['retry', 'a', '--cause', 'b']], [['retry', 'a', '--per-minute', '0']], [['drop', 'a']]])(
    'rejects %j as a usage error',
    async (args) => {
      expect((await cli.phx(['admin', 'steps', ...args])).code).toBe(2);
    },
  );
});
