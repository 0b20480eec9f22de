import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { useFolder } from '@fleet/testing';
import { MembersFile } from './proposal-members';

describe('MembersFile', () => {
  const folder = useFolder();
  const path = join(folder, 'members.json');
  let now = 0;
  const write = (content: unknown): void =>
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  const open = (): Promise<MembersFile> => MembersFile.open(path, () => now);
  beforeEach(() => {
    now = 0;
  });

  it('lists the proposals of users, and applies a change within seconds', async () => {
    write({ mx1: ['ada', 'bob'], mx2: ['ada'] });
    const members = await open();
    expect(await members.proposalsOf('ada')).toEqual(['mx1', 'mx2']);
    expect(await members.proposalsOf('eve')).toEqual([]);
    write({ mx1: ['bob'], mx33: ['ada'] });
    now = 5_000;
    expect(await members.proposalsOf('ada')).toEqual(['mx33']);
  });

  it('lists the beamlines of a proposal, if there are any', async () => {
    write({ mx1: ['ada'], mx2: { members: ['ada'], beamlines: ['i03', 'i04'] }, mx3: { beamlines: ['i04'] }, mx4: {} });
    const members = await open();
    expect(await members.proposalsOf('ada')).toEqual(['mx1', 'mx2']);
    const beamlines = await Promise.all(['mx1', 'mx2', 'mx3', 'mx4', 'mx5'].map((name) => members.beamlinesOf(name)));
    expect(beamlines).toEqual([[], ['i03', 'i04'], ['i04'], [], []]);
    write({ mx3: { beamlines: [] } });
    now = 5_000;
    expect(await members.beamlinesOf('mx3')).toEqual([]);
  });

  it.each([
    ['[]', 'value'],
    ['{"mx1": "ada"}', 'mx1'],
    ['{"mx1": [1]}', 'mx1.members[0]'],
    ['{"mx1": {"members": ["ada"], "beamline": "i04"}}', 'mx1.beamline'],
    ['{"mx1": null}', 'mx1'],
    ['{"*": ["ada"]}', 'is not a proposal'],
    ['{', 'not JSON'],
  ])('does not start with %s', async (content, told) => {
    write(content);
    await expect(open()).rejects.toThrow(told === 'value' ? 'each with its members' : told);
  });

  it.each([
    ['damaged', '{'],
    ['of another layout', '{"mx1": "ada"}'],
    ['away', undefined],
  ])('keeps the last content while the file is %s', async (_, content) => {
    write({ mx1: ['ada'] });
    const members = await open();
    if (content === undefined) rmSync(path);
    else write(content);
    now = 5_000;
    expect(await members.proposalsOf('ada')).toEqual(['mx1']);
    write({ mx44: ['ada'] });
    now = 10_000;
    expect(await members.proposalsOf('ada')).toEqual(['mx44']);
  });
});
