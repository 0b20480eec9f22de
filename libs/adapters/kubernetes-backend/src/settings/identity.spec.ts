import { identityOf } from './identity';

const settings = (ofFolder = '') => ({
  identity: {
    fleetGid: 10_000,
    default: { uid: 10_001, gid: 10_001, supplementalGroups: [] },
    proposals: { mx1234: { uid: 20_001, gid: 20_001, supplementalGroups: [5] } },
    ofFolder,
  },
});
const owner = { proposal: 'mx9', beamline: 'i04' };

describe("the identity for a proposal's programs", () => {
  it("is that of the proposal's entry", () => {
    expect(identityOf(settings('/data/{proposal}'), { ...owner, proposal: 'mx1234' })).toMatchObject({ uid: 20_001 });
  });

  it('is the default without an entry, also for a proposal named like a JavaScript property', () => {
    for (const proposal of ['mx9', 'constructor', '__proto__']) {
      expect(identityOf(settings(), { ...owner, proposal })).toMatchObject({ uid: 10_001 });
    }
  });

  it('is the owner of its folder if so configured', () => {
    const looked: string[] = [];
    const found = identityOf(settings('/data/{beamline}/{proposal}'), owner, (folder) => {
      looked.push(folder);
      return { uid: 30_001, gid: 30_002 };
    });
    expect(found).toEqual({ uid: 30_001, gid: 30_002, supplementalGroups: [] });
    expect(looked).toEqual(['/data/i04/mx9']);
  });

  it.each([
    ['root', { uid: 0, gid: 5 }],
    ['the group of root', { uid: 5, gid: 0 }],
  ])('is never %s', (_who, found) => {
    expect(() => identityOf(settings('/data/{proposal}'), owner, () => found)).toThrow('no program runs as root');
  });

  it.each([
    { uid: 2 ** 31, gid: 5 },
    { uid: 5, gid: 2 ** 31 },
  ])('is never %j, which Kubernetes rejects', (found) => {
    expect(() => identityOf(settings('/data/{proposal}'), owner, () => found)).toThrow(
      'no uid or gid above 2147483647',
    );
  });

  it.each(['../etc', '..', 'a/b', ''])(
    'is none for a proposal named "%s", whose folder may be anywhere',
    (proposal) => {
      expect(() => identityOf(settings('/data/{proposal}'), { ...owner, proposal })).toThrow('is not a folder name');
    },
  );

  it('is none if the folder cannot be read', () => {
    expect(() => identityOf(settings('/nowhere/{proposal}'), owner)).toThrow('is unknown');
  });
});
