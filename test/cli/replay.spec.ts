import type { Replay } from '@fleet/contracts/results';
import { replayer } from '@fleet/decision-graph';
import { aCatalogue, anId, dataFile, modelFile, unrefined, usualRuns, walkBench, useStarted } from '@fleet/testing';
import { CliHarness } from './cli-harness';

describe('phx replay', () => {
  const bench = walkBench({ installed: 'open', runs: { ...usualRuns, model_vs_data: unrefined } });
  let id: string;
  const cli = useStarted('file', () => {
    const unasked = (): never => {
      throw new Error('no v2 request is made here');
    };
    const replay = replayer(bench.ruleBook);
    return CliHarness.start({ decisions: { answer: unasked, answerEncoded: unasked, replay } });
  });
  beforeAll(async () => {
    await cli.gateway.store.catalogues.publish(aCatalogue());
    const { session } = await bench.walk([dataFile(), modelFile()]);
    const [first, ...others] = session.cycles;
    const changed = {
      ...first!,
      decision: { ...first!.decision, program: 'phenix.mtriage', argv: ['phenix.mtriage'] },
    };
    const resume = { status: 'running', stage: 'deciding', cycle: session.cycle, attempt: 1 } as const;
    id = await cli.aStored({
      id: anId(),
      request: session.request,
      resume: { ...resume, cycles: [changed, ...others] },
    });
  });

  it('shows each decision, and the reason of a difference', async () => {
    const { code, out, err } = await cli.phx(['replay', id.slice(0, 20)]);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(
      new RegExp(`^${id}  \\d+ same, \\d+ differ, 0 undetermined \\(knowledge [0-9a-f]{12}, release `),
    );
    expect(out).toMatch(/\n1 +differs +phenix\.mtriage +phenix\.xtriage +xray step analyze: .+\n/);
  });

  it('prints one document with --json', async () => {
    const replay = JSON.parse((await cli.phx(['--json', 'replay', id])).out) as Replay;
    expect(replay).toMatchObject({ id, knowledge: bench.ruleBook.digest });
    expect(replay.cycles[0]).toMatchObject({
      cycle: 1,
      result: 'differs',
      recorded: { program: 'phenix.mtriage' },
      replayed: { program: 'phenix.xtriage' },
      provenance: { knowledge: bench.ruleBook.digest },
    });
  });

  it('reports an unknown session', async () => {
    expect(await cli.phx(['replay', '01jd7v9s6m2x4k8q0w5c3b1n7r'])).toMatchObject({ code: 4 });
  });
});
