import type { PromptsView } from '@fleet/contracts/results';
import type { ModelReplies } from '@fleet/ports';
import { aCycle, aDecision, useStarted } from '@fleet/testing';
import { CliHarness } from './cli-harness';

const hash = (letter: string): string => letter.repeat(64);

describe('phx prompt', () => {
  const replies: ModelReplies = {
    find: (_session, work) =>
      Promise.resolve(
        work === `c001-plan-${'b'.repeat(16)}`
          ? {
              target: 'site',
              model: 'qwen3',
              text: '{"program":"phenix.refine"}\u001b[2J',
              finish: 'stop',
              usage: {},
              asked: [
                { role: 'system', text: 'You choose.' },
                { role: 'user', text: '## Menu\n- phenix.refine: next' },
              ],
            }
          : undefined,
      ),
    keep: () => Promise.resolve(),
  };
  const read = { target: 'site', model: 'qwen3', prompt: 'directives 1', hash: hash('c'), at: '2026-11-23T07:59:00Z' };
  let id: string;
  const cli = useStarted('file', () => CliHarness.start({ replies }));
  beforeAll(async () => {
    id = await cli.aStored();
    const planning = { prompt: 'plan 1', requests: 2, target: 'site', model: 'qwen3', hash: hash('b') };
    await cli.runCycle(id, aCycle({ decision: aDecision({ decidedBy: 'model', planning }) }));
    const work = { session: id, proposal: 'mx1', name: 'c001-plan' };
    const { ledger } = cli.gateway.store;
    await ledger.hold(work);
    for (const letter of ['a', 'b', 'b']) {
      const prompt = {
        target: 'site',
        model: 'qwen3',
        prompt: 'plan 1',
        hash: hash(letter),
        at: '2026-11-23T08:00:00Z',
      };
      await ledger.reserve(work, prompt, { requests: 1, tokens: 1000, cost: 1 }, {});
    }
  });

  it('prints prompts and replies word for word, without control characters', async () => {
    const { code, out } = await cli.phx(['prompt', id, '1']);
    expect(code).toBe(0);
    expect(out).toBe(
      [
        `plan 1, ${'a'.repeat(16)}, requests: 1`,
        'Neither the prompt nor the reply is stored.',
        '',
        `plan 1, ${'b'.repeat(16)}, requests: 2, followed`,
        '',
        '── system ──',
        'You choose.',
        '',
        '── user ──',
        '## Menu',
        '- phenix.refine: next',
        '',
        '── reply of site (qwen3) ──',
        '{"program":"phenix.refine"}\\u001b[2J',
        '',
      ].join('\n'),
    );
  });

  it('removes keys and tokens from prompts and replies, also with --json', async () => {
    const key = `phx_${'k'.repeat(16)}_${'s'.repeat(24)}`;
    const text = `Authorization: Bearer ${key}`;
    const reply = { target: 'site', model: 'qwen3', text, finish: 'stop', usage: {} } as const;
    const messages = [{ role: 'user', text: `advice: use password=hunter2 and ${key}` }] as const;
    jest.spyOn(replies, 'find').mockResolvedValue({ ...reply, asked: messages });
    for (const args of [
      ['prompt', id, '1'],
      ['--json', 'prompt', id, '1'],
    ]) {
      const { out } = await cli.phx(args);
      expect(out).toContain('advice: use password=[removed] and [key removed]');
      expect(out).not.toMatch(/hunter2|phx_/);
    }
    jest.restoreAllMocks();
  });

  it('prints the prompt for the advice first', async () => {
    const other = await cli.aStored();
    const work = { session: other, proposal: 'mx1', name: 'c001-read' };
    const { ledger } = cli.gateway.store;
    await ledger.hold(work);
    await ledger.reserve(work, read, { requests: 1, tokens: 1000, cost: 1 }, {});
    const { out } = await cli.phx(['--json', 'prompt', other, '1']);
    expect((JSON.parse(out) as PromptsView).prompts).toEqual([
      { prompt: 'directives 1', hash: hash('c'), used: false, requests: 1 },
    ]);
  });

  it('prints one document with --json', async () => {
    const { out } = await cli.phx(['--json', 'prompt', id, '1']);
    const { prompts } = JSON.parse(out) as PromptsView;
    expect(prompts.map(({ used, requests, messages = [] }) => [used, requests, messages.length])).toEqual([
      [false, 1, 0],
      [true, 2, 2],
    ]);
  });

  it('reports a cycle without model requests, and an unknown cycle', async () => {
    expect(await cli.phx(['prompt', id, '2'])).toMatchObject({
      code: 4,
      err: expect.stringContaining('No model was asked in cycle 2') as string,
    });
    expect(await cli.phx(['prompt', id, '7'])).toMatchObject({
      code: 4,
      err: expect.stringContaining('has no cycle "7"') as string,
    });
  });
});
