import { ownerIn, readDataRoot, sharedRoot, type DataRoot } from './data-roots';

const root = (text: string): DataRoot => {
  const read = readDataRoot(text);
  if (typeof read === 'string') throw new Error(read);
  return read;
};
const owner = (template: string, path: string): unknown => {
  const read = root(template);
  const found = ownerIn(read, path.slice(read.folder.length + 1).split('/'));
  return found.of === 'proposal' ? [found.proposal, found.beamline] : found.of;
};

describe('a data root', () => {
  it.each([
    ['/data', '/data', 0],
    ['/data/', '/data', 0],
    ['/data/{proposal}', '/data', 1],
    ['/data/{beamline}/{year}/{proposal}', '/data', 3],
    ['/dls/{beamline}/data/*/{proposal}-{visit}', '/dls', 4],
    ['/{proposal}', '/', 1],
  ])('%s begins at %s', (text, folder, levels) => {
    expect(root(text)).toMatchObject({ folder, of: levels === 0 ? 'administrators' : 'proposals' });
    expect(root(text).levels).toHaveLength(levels);
  });

  it.each([
    ['data/{proposal}', 'is not an absolute path'],
    ['/data/../{proposal}', 'is not an absolute path'],
    ['/data/{beamline}', 'does not have {proposal} in its last name'],
    ['/data/{proposal}/raw', 'does not have {proposal} in its last name'],
    ['/data/*', 'does not have {proposal} in its last name'],
    ['/data/{proposal}/{proposal}', 'has a variable twice'],
    ['/data/{proposal}{visit}', 'has an unmatched brace, or two adjacent variables'],
    ['/data/*{proposal}', 'has an unmatched brace, or two adjacent variables'],
    ['/data/{Year}/{proposal}', 'has an unmatched brace, or two adjacent variables'],
    ['/data/{/{proposal}', 'has an unmatched brace, or two adjacent variables'],
  ])('%s %s', (text, why) => {
    expect(readDataRoot(text)).toBe(why);
  });
});

describe('the owner of a path', () => {
  it.each([
    ['/data/{proposal}', '/data/mx1', ['mx1', undefined]],
    ['/data/{proposal}', '/data/mx1/a/b.mtz', ['mx1', undefined]],
    ['/data/{beamline}/{year}/{proposal}', '/data/i03/2026/mx1/a.mtz', ['mx1', 'i03']],
    ['/dls/{beamline}/data/*/{proposal}-{visit}', '/dls/i04/data/2026/mx1-7/a.mtz', ['mx1', 'i04']],
    ['/data/v.{proposal}+x', '/data/v.mx1+x/a', ['mx1', undefined]],
  ])('in %s, %s, is its proposal', (template, path, expected) => {
    expect(owner(template, path)).toEqual(expected);
  });

  it.each([
    ['above the proposals', '/data/{beamline}/{proposal}', '/data/i03'],
    ['beside them', '/dls/{beamline}/data/*/{proposal}-{visit}', '/dls/i04/etc/2026/mx1-7'],
    ['a name that reads in two ways', '/data/{proposal}-{visit}', '/data/mx1-2-3/a.mtz'],
    ['a name that lacks a part', '/data/{proposal}-{visit}', '/data/mx1/a.mtz'],
    ['a letter of another alphabet', '/data/{proposal}', '/data/m\u0445 1/a.mtz'],
    ['dots', '/data/{proposal}', '/data/mx1../a'],
    ['a hidden folder', '/data/{proposal}', '/data/.mx1/a'],
    ['a name that is too long', '/data/{proposal}', `/data/${'m'.repeat(65)}/a`],
    ['a literal point that is another letter', '/data/v.{proposal}', '/data/vxmx1/a'],
    ['a root that says nothing', '/data', '/data/mx1/a'],
  ])('is administrators: %s', (_, template, path) => {
    expect(owner(template, path)).toBe('administrators');
  });

  it('is case-sensitive', () => {
    expect(owner('/data/{proposal}', '/data/MX1/a')).toEqual(['MX1', undefined]);
  });

  it('of shared files is `everybody`', () => {
    expect(ownerIn(sharedRoot('/lib'), ['a.cif'])).toEqual({ of: 'everybody' });
  });
});
