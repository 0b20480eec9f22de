import type { StoredAssessment } from '@fleet/contracts/results';
import type { Assessments } from '@fleet/ports';
import { useStores } from '@fleet/testing';
import { CliHarness } from './cli-harness';

const rules = [
  { part: 'input_quality', title: 'Input data quality', text: 'As good\u001b[2J as\n\u202eit gets.' },
  { part: 'next_steps', title: 'Next steps', text: 'None.' },
] as const;
const byModel = { status: 'running', version: 1, writtenAt: '2026-11-24T02:00:00.000Z' } as const;
const marked: StoredAssessment = {
  ...byModel,
  parts: [
    {
      part: 'current_status',
      title: 'Current status',
      text: 'R-free is 0.12, and\u001b[2J so on.',
      unsupported: [{ text: '0.12', at: 10 }],
    },
  ],
  target: 'site',
  model: 'qwen3\u001b[2J',
  hash: 'ab',
};
const failed: StoredAssessment = { ...byModel, failed: 'model_budget', why: 'the budget\u001b[2J is used up' };

const newStore = useStores();

describe('phx assess', () => {
  let assessment: StoredAssessment | undefined;
  /** What a model makes of the next request. */
  let made: StoredAssessment | undefined;
  let hasModel = true;
  const assessments: Assessments = {
    newest: () => Promise.resolve(assessment && { number: 1, kept: assessment }),
    next: () => Promise.resolve(2),
    keep: () => Promise.resolve(),
  };
  let now: string = byModel.writtenAt;
  const store = newStore({ now: () => Date.parse(now) });
  const { textRequests: requests } = store;
  const ask = requests.ask.bind(requests);
  let cli: CliHarness;
  let id: string;
  beforeAll(async () => {
    jest.spyOn(requests, 'ask').mockImplementation(async (session, number) => {
      const request = await ask(session, number);
      if (request !== undefined && (made !== undefined || !hasModel)) {
        assessment = made ?? assessment;
        await requests.done(request);
      }
      return request;
    });
    cli = await CliHarness.start({ knowledge: { assessment: () => rules }, assessments, store });
  });
  beforeEach(async () => {
    assessment = undefined;
    made = undefined;
    hasModel = true;
    now = byModel.writtenAt;
    id = await cli.aStored();
  });
  afterAll(() => cli.stop());

  it('prints each part below its title, without control characters', async () => {
    const { code, out } = await cli.phx(['assess', id.slice(0, 20)]);
    expect(code).toBe(0);
    expect(out).toContain(`${id}  running, assessed by the rules `);
    expect(out).toContain('\nInput data quality\n  As good\\u001b[2J as \\u202eit gets.\n\nNext steps\n  None.\n');
  });

  it('prints one document with --json', async () => {
    const { out } = await cli.phx(['--json', 'assess', id]);
    expect(JSON.parse(out)).toMatchObject({ id, state: 'ready', writtenBy: 'rules', parts: [{}, {}] });
  });

  it("requests a model's text, waits for it, and marks its wrong numbers", async () => {
    made = marked;
    const { code, out } = await cli.phx(['assess', id, '--ask']);
    expect(code).toBe(0);
    expect(out).toContain('assessed by the model qwen3\\u001b[2J of site 2026-11-24 02:00 UTC');
    expect(out).toContain(
      '  R-free is 0.12, and\\u001b[2J so on.\n  ! 0.12 is not a number of this session: "…R-free is 0.12, and',
    );
    expect(out).not.toContain('\u001b[2J');
  });

  it('prints the text of the rules if no model assesses it, and exits with 8', async () => {
    made = failed;
    const { code, out, err } = await cli.phx(['assess', id, '--ask']);
    expect([code, out.includes('by the rules')]).toEqual([8, true]);
    expect(err).toBe('No model has assessed it: the budget\\u001b[2J is used up. Above is the text of the rules.\n');
  });

  it('exits with 8 if no model is called, even if one answered earlier', async () => {
    hasModel = false;
    const alone = await cli.phx(['assess', id, '--ask']);
    expect([alone.code, alone.out.includes('by the rules')]).toEqual([8, true]);
    expect(alone.err).toMatch(/^No model was asked: .* Above is the text of the rules\.\n$/);
    assessment = { ...marked, version: 0 };
    now = '2026-11-24T02:00:01.000Z';
    const before = await cli.phx(['assess', id, '--ask']);
    expect([before.code, before.out.includes('by the model')]).toEqual([8, true]);
    expect(before.err).toMatch(/^No model was asked: .* Above is the previous text of a model\.\n$/);
  });

  it("accepts a model's assessment of the present state", async () => {
    assessment = marked;
    now = '2026-11-24T05:00:00.000Z';
    expect(await cli.phx(['assess', id, '--ask'])).toMatchObject({ code: 0, err: '' });
  });

  it('waits no longer than requested', async () => {
    const { code, out, err } = await cli.phx(['assess', id, '--ask', '--wait', '0']);
    expect([code, out.includes('by the rules')]).toEqual([8, true]);
    expect(out).toMatch(/A model was asked \d{4}-.* UTC and has not answered yet\.\n$/);
    expect(err).toContain('No model has answered within 0 s');
  });

  it.each(['soon', '-1', '3601', ''])('refuses to wait "%s"', async (wait) => {
    const { code, err } = await cli.phx(['assess', id, '--ask', `--wait=${wait}`]);
    expect(code).toBe(2);
    expect(err).toContain('Allowed: 0 to 3600 seconds.');
  });

  it('reports an unknown session', async () => {
    expect(await cli.phx(['assess', '01jd7v9s6m2x4k8q0w5c3b1n7r'])).toMatchObject({ code: 4 });
  });
});
