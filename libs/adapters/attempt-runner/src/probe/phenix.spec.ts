import { readVersion } from './phenix';

describe('what phenix.version prints', () => {
  it.each([
    ['PHENIX: Python-based\n  Version: 1.21.2\n  Release tag: 5419\n', '1.21.2-5419'],
    ['  Version:                dev-5430\n  Release tag: 5430', 'dev-5430'],
    ['Version: 1.21.2-5419\nRelease tag: 5419', '1.21.2-5419'],
    ['2.0-5793\n', '2.0-5793'],
    ['', undefined],
  ])('%j is %s', (answer, version) => {
    expect(readVersion(answer)).toBe(version);
  });
});
