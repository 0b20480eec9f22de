import type { StoredLogSummary } from '@fleet/contracts/results';
import type { LogSummaries } from '@fleet/ports';
import { aCycle, aDecision, aResult, useStarted } from '@fleet/testing';
import { CliHarness } from './cli-harness';

const byModel: StoredLogSummary = {
  cycle: 1,
  writtenAt: '2026-11-24T02:00:00.000Z',
  parts: [
    {
      part: 'numbers',
      title: 'Numbers',
      text: 'R-free is 0.11,\u001b[2J and so on.',
      unsupported: [{ text: '0.11', at: 10 }],
    },
  ],
  target: 'site',
  model: 'qwen2.5:7b',
  hash: 'ab',
};

describe('phx summarise-log', () => {
  let summary: StoredLogSummary | undefined;
  const logSummaries: LogSummaries = {
    newest: () => Promise.resolve(summary && { number: 1, kept: summary }),
    next: () => Promise.resolve(2),
    keep: () => Promise.resolve(),
  };
  let id: string;
  const cli = useStarted('file', () => CliHarness.start({ logSummaries }));
  beforeAll(async () => {
    const decision = aDecision({ program: 'phenix.xtriage' });
    const cycles = [aCycle({ decision, result: aResult({ metrics: { resolution: 2.1 } }) })];
    id = await cli.aStored({ resume: { status: 'running', stage: 'deciding', cycle: 2, attempt: 1, cycles } });
  });

  it('prints the analysed numbers with their lines', async () => {
    const { code, out } = await cli.phx(['summarise-log', id, '1']);
    expect(code).toBe(0);
    expect(out).toContain(`${id}  cycle 1, phenix.xtriage, log summary by the rules `);
    expect(out).toMatch(/\nNumbers\n {2}Resolution.* 2\.10 Å \(line \d+\)\.\n/);
  });

  it("prints a model's text with wrong numbers marked, without control characters", async () => {
    summary = byModel;
    const { code, out, err } = await cli.phx(['summarise-log', id, '1', '--ask']);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('log summary by the model qwen2.5:7b of site 2026-11-24 02:00 UTC');
    expect(out).toContain('  ! 0.11 is not a number of this run: "…R-free is 0.11,');
    expect(out).not.toContain('\u001b[2J');
  });

  it('exits with 8 if no model answers in time, and with 4 for an unknown cycle', async () => {
    summary = undefined;
    const late = await cli.phx(['summarise-log', id, '1', '--ask', '--wait', '0']);
    expect(late.code).toBe(8);
    expect(late.err).toContain('No model has answered within 0 s. phx summarise-log shows the answer');
    expect((await cli.phx(['summarise-log', id, '7'])).code).toBe(4);
  });
});
