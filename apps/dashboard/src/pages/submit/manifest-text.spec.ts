import { rangeOfLine, typeOfManifest } from './manifest-text';

describe('a manifest', () => {
  it.each([
    ['rows.csv', 'text/csv'],
    ['rows.TSV', 'text/tab-separated-values'],
    ['a.b.yml', 'application/yaml'],
    ['rows.ndjson', 'application/x-ndjson'],
    ['rows', 'text/csv'],
  ])('named %s is sent as %s', (name, type) => {
    expect(typeOfManifest(name)).toBe(type);
  });

  it('has line ranges', () => {
    const text = 'files\na.mtz\nb.mtz';
    expect([1, 2, 3, 9].map((line) => text.slice(...rangeOfLine(text, line)))).toEqual([
      'files',
      'a.mtz',
      'b.mtz',
      'b.mtz',
    ]);
  });
});
