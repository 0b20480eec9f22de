import { CliHarness } from './cli-harness';

describe('phx assess', () => {
  let cli: CliHarness;
  let id: string;
  beforeAll(async () => {
    const parts = [
      { part: 'input_quality', title: 'Input data quality', text: 'As good\u001b[2J as\n\u202eit gets.' },
      { part: 'next_steps', title: 'Next steps', text: 'None.' },
    ] as const;
    cli = await CliHarness.start({ knowledge: { assessment: () => parts } });
    id = await cli.aStored();
  });
  afterAll(() => cli.stop());

  it('prints each part below its title, and nothing that a terminal obeys', async () => {
    const { code, out } = await cli.phx(['assess', id.slice(0, 20)]);
    expect(code).toBe(0);
    expect(out).toContain(`${id}  running, assessed by the rules `);
    expect(out).toContain('\nInput data quality\n  As good\\u001b[2J as \\u202eit gets.\n\nNext steps\n  None.\n');
  });

  it('is one document with --json', async () => {
    const { out } = await cli.phx(['--json', 'assess', id]);
    expect(JSON.parse(out)).toMatchObject({ id, writtenBy: 'rules', parts: [{ part: 'input_quality' }, {}] });
  });

  it('knows no session that is not there', async () => {
    expect(await cli.phx(['assess', '01jd7v9s6m2x4k8q0w5c3b1n7r'])).toMatchObject({ code: 4 });
  });
});
