import { claimantOf } from '@fleet/fair-shares';
import { aLaunchPolicy, anId, aSharedRun, useStarted } from '@fleet/testing';
import { CliHarness } from './cli-harness';

describe('phx admin', () => {
  const cli = useStarted('test', () => CliHarness.start());

  it('pauses launches with a reason and a name, and resumes them', async () => {
    const paused = await cli.phx(['admin', 'pause', '--reason', 'the file server is being moved']);
    expect(paused.code).toBe(0);
    expect(paused.out).toMatch(/^launches: paused: the file server is being moved, by \S+, since 20/);
    expect(await cli.gateway.store.launches.read()).toMatchObject({
      mode: 'paused',
      reason: 'the file server is being moved',
    });
    await cli.phx(['admin', 'resume']);
    expect(await cli.gateway.store.launches.read()).toMatchObject({ mode: 'open', reason: '' });
  });

  it('shows the audit log, and prints all of it', async () => {
    await cli.phx(['admin', 'pause', '--reason', 'the file server is being moved']);
    const shown = await cli.phx(['admin', 'audit', '--object', 'launches']);
    expect(shown.out).toMatch(
      /^AT +WHO +ACTION +OBJECT +OUTCOME +AFTER\n\S+ +- +admin\.change +launches +done +\{"mode":"paused"/,
    );
    expect((await cli.phx(['admin', 'audit', '--who', 'eve'])).out).toBe('No entries.\n');
    expect((await cli.phx(['admin', 'audit', '--limit', '0'])).code).toBe(3);
    const table = (await cli.phx(['admin', 'audit', '--export', 'csv', '--action', 'admin.change'])).out;
    expect(table).toMatch(/^at,who,role,action,.*\n20.*,launches,done,/);
  });

  it('shows what runs and what waits', async () => {
    const { slots } = cli.gateway.store;
    await slots.running(claimantOf(aSharedRun('a'), aLaunchPolicy()));
    await slots.waiting(aSharedRun('b'), 'held');
    const { out } = await cli.phx(['admin', 'status']);
    expect(out).toMatch(
      /launches +open\nrunning +1\n +by class +cpu 1\n +by proposal +mx1 1\nwaiting +1\n +the oldest/,
    );
    expect(JSON.parse((await cli.phx(['admin', 'status', '--json'])).out)).toMatchObject({ runs: 1, waiting: 1 });
  });

  it('drains, and with --wait waits until nothing is running', async () => {
    const { slots, launches } = cli.gateway.store;
    await slots.running(claimantOf(aSharedRun('a'), aLaunchPolicy()));
    const onPause = async (before: number): Promise<void> => {
      expect((await launches.read()).mode).toBe('draining');
      if (before === 2) await slots.release('a');
    };
    const { code, out } = await cli.phx(['admin', 'drain', '--wait'], { onPause });
    expect(code).toBe(0);
    expect(out).toMatch(/launches +draining.*\nrunning +0/);
  });

  it('stops waiting, with its own exit code, if launches are resumed meanwhile', async () => {
    const { slots, launches } = cli.gateway.store;
    await slots.running(claimantOf(aSharedRun('a'), aLaunchPolicy()));
    const onPause = async (): Promise<void> => {
      await launches.set({ mode: 'open', reason: '', by: 'bob' });
    };
    expect((await cli.phx(['admin', 'drain', '--wait'], { onPause })).code).toBe(3);
  });

  it('shows the shares, and replaces them from a file', async () => {
    expect((await cli.phx(['admin', 'shares'])).out).toMatch(/^set by the configuration\n +proposals +\{\}\n/);
    const from = cli.gateway.file('shares.yaml', 'proposals:\n  mx1: { weight: 3 }\nliveAllowedFor: [i04]\n');
    const { code, out } = await cli.phx(['admin', 'shares', '--from', from]);
    expect(code).toBe(0);
    expect(out).toMatch(/^set by an administrator \(\S+\), 20.*\n +proposals +\{"mx1":\{"weight":3\}\}\n/);
    expect(out).toMatch(/ +liveAllowedFor +i04\n/);
    expect(await cli.gateway.store.shares.read()).toMatchObject({ policy: { liveAllowedFor: ['i04'], maxPerUser: 0 } });
  });

  it('rejects invalid shares', async () => {
    const from = cli.gateway.file('shares.yaml', 'maxPerUser: many\n');
    const { code, err } = await cli.phx(['admin', 'shares', '--from', from]);
    expect([code, err]).toEqual([3, expect.stringContaining('policy.maxPerUser')]);
    expect(await cli.gateway.store.shares.read()).toBeUndefined();
  });

  it('lists orphans, and removes them only on request', async () => {
    const { orphans } = cli.gateway.store;
    expect((await cli.phx(['admin', 'orphans'])).out).toBe('No orphans.\n');
    const owner = { sessionId: anId(), cycle: 1, attempt: 1, proposal: 'mx1' };
    const orphan = { name: 'left', owner, createdAt: '2026-11-21T08:00:00.000Z', reason: 'its session is unknown' };
    await orphans.saw([orphan], 0);
    expect((await cli.phx(['admin', 'orphans', '--clean'])).out).toContain('seen once');
    await orphans.saw([orphan], 0);
    const listed = await cli.phx(['admin', 'orphans']);
    expect(listed.out).toMatch(/left +mx1 +2026-11-21T08:00:00 +can be removed +its session is unknown\nNothing was/);
    expect((await orphans.list())[0]).toMatchObject({ removing: false });
    const cleaned = await cli.phx(['admin', 'orphans', '--clean']);
    expect(cleaned.out).toContain('being removed');
    expect((await orphans.list())[0]).toMatchObject({ removing: true });
  });
});
