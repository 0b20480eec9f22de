import type { Session } from '@fleet/contracts/sessions';
import type { NewSession } from '@fleet/ports';
import { aDecision, aGuidance, anAttempt, aNewSession, aRequest, useStarted } from '@fleet/testing';
import { CliHarness } from './cli-harness';

describe('names and files in phx', () => {
  const id = '01jdaaaa00000000000000000a';
  const other = '01jdbbbb00000000000000000b';
  const cli = useStarted('file', () => {
    const metrics = { r_free: { label: 'R-free', better: 'lower', decimals: 4, why: 'it is so' } } as const;
    return CliHarness.start({ knowledge: { metrics } });
  });
  beforeAll(async () => {
    for (const [name, title] of [
      [id, 'the good one'],
      [other, 'the poor one'],
    ] as const)
      await cli.gateway.store.records.create(
        aNewSession({ id: name, folder: cli.folderOf(name), request: aRequest({ title }) }),
        [],
        1000,
      );
  });
  const endWith = async (name: string, value: number, reason: 'plateau' | 'unsatisfactory'): Promise<void> => {
    const progress = { fit: { metric: 'r_free', value, resolution: 1.6, trend: 'better' } } as const;
    const to = { ended: { reason, detail: 'x', afterCycle: 1 } } as const;
    await cli.gateway.store.records.advance({ sessionId: name, fromVersion: 1, to, progress, events: [], dueInMs: 1 });
  };

  it('shows how long a program has been running', async () => {
    const { store } = cli.gateway;
    const running = '01jdcccc00000000000000000c';
    await store.records.create(aNewSession({ id: running, folder: cli.folderOf(running) }), [], 1000);
    const startedAt = new Date(Date.now() - 3_700_000).toISOString();
    const { attempt, backend, provider, programVersion } = anAttempt();
    const attempts = [{ attempt, backend, provider, programVersion, startedAt }];
    await cli.execute(running, { cycle: 1, decision: aDecision(), attempts });
    expect((await cli.phx(['show', running])).out).toMatch(/phenix\.refine {2}running {2}1 h 01 min/);
    expect((await cli.phx(['show', running, '--detail'])).out).toMatch(/running {4}attempt 1, .*: for 1 h 01 min/);
  });

  it('lists the stop reason and fit of ended sessions', async () => {
    await endWith(id, 0.157, 'plateau');
    await endWith(other, 0.482, 'unsatisfactory');
    const { out } = await cli.phx(['list']);
    expect(out).toMatch(new RegExp(`${id} +solved +plateau +R-free 0\\.157↓ at 1\\.60 Å `));
    expect(out).toMatch(new RegExp(`${other} +unsatisfactory +unsatisfactory +R-free 0\\.482↓ at 1\\.60 Å `));
  });

  it.each(['01jda', 'the good one'])('finds a session by %s', async (name) => {
    expect((await cli.phx(['show', name])).out).toContain(id);
    expect((await cli.phx(['watch', name])).out).toContain(`Session ${id}`);
  });

  it('lists the candidates of an ambiguous name, and reports an unknown one', async () => {
    const { code, err } = await cli.phx(['show', '01jd']);
    expect([code, err]).toEqual([3, expect.stringContaining('3 sessions match "01jd"')]);
    expect(err).toContain(`allowed: ${other}`);
    expect(err).toMatch(/id: "the poor one", unsatisfactory, submitted 2026/);
    for (const name of ['nothing', '', '.', '..']) expect((await cli.phx(['show', name])).code).toBe(4);
  });

  it('adds files to a session that continues', async () => {
    cli.gateway.file('more/data.sca');
    const { code } = await cli.phx(['resume', 'the good one', 'data.sca'], { cwd: `${cli.gateway.data}/more` });
    expect(code).toBe(0);
    const { inputs } = ((await cli.gateway.store.records.load(id)) as Session).request;
    expect(inputs.at(-1)?.path).toBe(`${cli.gateway.data}/more/data.sca`);
  });

  it('shows advice with its interpretation, and marks older advice without one', async () => {
    const shown = async (name: string, more: Partial<NewSession>): Promise<string> => {
      const session = aNewSession({ id: name, folder: cli.folderOf(name), ...more });
      await cli.gateway.store.records.create(session, [], 1000);
      return (await cli.phx(['show', name])).out;
    };
    const old = await shown('01jddddd00000000000000000d', { request: aRequest({ advice: 'be quick' }) });
    expect(old).toContain('be quick (kept by an older release, which did not read it)');
    const { reading } = aGuidance();
    const notFollowed = [{ words: 'be quick', why: 'no rule reads anything in it' }];
    const guidance = aGuidance({ reading: { ...reading, text: 'refine once, be quick', notFollowed } });
    const now = await shown('01jdeeee00000000000000000e', { guidance });
    expect(now).toMatch(
      /advice: +refine once, be quick\nread: +Not followed: “be quick”: no rule reads anything in it\./,
    );
  });
});
