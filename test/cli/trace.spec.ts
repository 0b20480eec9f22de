import type { TraceView } from '@fleet/contracts/results';
import { useStarted } from '@fleet/testing';
import { CliHarness } from './cli-harness';

describe('phx trace', () => {
  let id: string;
  const cli = useStarted('file', () => CliHarness.start());
  beforeAll(async () => {
    const { ledger } = cli.gateway.store;
    id = await cli.aStored();
    await cli.runCycle(id);
    const work = { session: id, proposal: 'mx1', name: 'c002-plan' };
    const prompt = { target: 'site', model: 'qwen3', prompt: 'plan 1', hash: 'ab', at: '2026-11-23T08:00:00.000Z' };
    const most = { requests: 1, tokens: 1000, cost: 1 };
    await ledger.hold(work);
    const reserved = await ledger.reserve(work, prompt, most, {});
    if ('refused' in reserved) throw new Error('It was refused');
    const outcome = { result: 'rate_limit', why: 'try\u001b[2J later', latencyMs: 1500, cost: null } as const;
    await ledger.settle(work, reserved, outcome, most);
  });

  it('shows each operation with its time, and the usage of model requests', async () => {
    const { code, out } = await cli.phx(['trace', id.slice(0, 20)]);
    expect(code).toBe(0);
    expect(out).toContain(`${id}  running, submitted `);
    expect(out).toMatch(/\n1 +cycle +done .* phenix\.\w+\n {2}1\.1 +decision +done /);
    expect(out).toMatch(
      /\n {4}2\.1\.1 +request +failed +11-23 08:00:00 +1\.5 s +site \(qwen3\), prompt plan 1: rate_limit: try\\u001b\[2J later\n/,
    );
    expect(out).toMatch(/\n1 request to models, 0 tokens in, 0 out; what 1 request cost is not known\n$/);
  });

  it('prints one document with --json', async () => {
    const { out } = await cli.phx(['--json', 'trace', id]);
    const trace = JSON.parse(out) as TraceView;
    expect(trace).toMatchObject({ id, spent: { requests: 1, unpriced: 1 } });
    expect(trace.operations.map(({ path }) => path)).toEqual(expect.arrayContaining(['1', '1.1', '2', '2.1', '2.1.1']));
  });

  it('reports an unknown session', async () => {
    expect(await cli.phx(['trace', '01jd7v9s6m2x4k8q0w5c3b1n7r'])).toMatchObject({ code: 4 });
  });
});
