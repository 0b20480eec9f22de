import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { useStarted } from '@fleet/testing';
import { CliHarness } from './cli-harness';

describe('phx and advice', () => {
  const cli = useStarted('file', () => CliHarness.start());

  it('shows the interpretation at submission and after every change', async () => {
    const file = cli.gateway.file('advised.sca');
    const guidanceFile = join(cli.gateway.data, 'guidance.txt');
    writeFileSync(guidanceFile, 'Refine twice and stop. Be quick about it.');
    const submitted = await cli.phx(['submit', file, '--advice-file', guidanceFile]);
    const [id = '', ...said] = submitted.out.trimEnd().split('\n');
    expect(said).toEqual([
      expect.stringContaining('advised.sca is used as data by xtriage'),
      'It ends without validation.',
      'At most 2 refinements are made.',
      'Not followed: “Be quick about it.”: no rule reads anything in it.',
      `Watch it with: phx watch ${id}`,
    ]);
    const { guidance } = (await cli.gateway.store.records.load(id))!;
    expect(guidance?.sources).toMatchObject([{ from: 'file', file: 'guidance.txt' }]);
    const advised = await cli.phx(['advice', 'set', id, 'refine 4 times at most']);
    expect(advised.out.trimEnd().split('\n')).toEqual([`${id}: running, cycle 1`, 'At most 4 refinements are made.']);
    const stopped = await cli.phx(['advice', 'set', id, 'stop', '--json']);
    expect(JSON.parse(stopped.out)).toMatchObject({ guidance: { revision: 3, endsAfter: 1 } });
  });

  it('submits a folder, and names the advice file that it read', async () => {
    cli.gateway.file('visit/data.sca');
    cli.gateway.file('visit/README', 'refine twice');
    const { code, out } = await cli.phx(['submit', '--input-directory', 'visit'], { cwd: cli.gateway.data });
    expect([code, out]).toEqual([0, expect.stringContaining('README of the folder was read as advice.') as string]);
    expect(await cli.phx(['submit'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--input-directory') as string,
    });
  });

  it('requires a text', async () => {
    const { code, err } = await cli.phx(['advice', 'set', '01jddddd00000000000000000d']);
    expect([code, err]).toEqual([2, expect.stringContaining('--advice-file') as string]);
  });
});
