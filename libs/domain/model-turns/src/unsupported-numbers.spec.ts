import { unsupportedNumbers } from './unsupported-numbers';

const known = Float64Array.of(0.2368, 1.62, 93.1, 4, 120, -0.0532, 35_123, 0.2, 21).sort();
const names = ['CC(1,3)', 'cc_1_3'];
const found = (text: string): readonly string[] => unsupportedNumbers(text, known, names).map((one) => one.text);

describe("numbers of a text that are not in the session's data", () => {
  it.each([
    'R-free is 0.2368.',
    'R-free is 0.237 at 1.6 Å',
    'R-free of .24 (0.24)',
    'R-free=23.7%, 23.68 % of it',
    'R-free 0,24, and 23,68 % at 1,62 Å',
    'completeness 93.1 %, about 93 %',
    'after 4 cycles, LLG 120',
    'it changed by -0.053 or by −0.0532',
    '35,123 reflections',
    'space group P 21 21 21, or P212121',
    'c003 and x2 and R1',
    'between 1.6-1.62 and 0.24–0.237',
    'CC(1,3) and cc_1_3 say so',
    'exactly 0.2',
    'no number, but three words',
  ])('supports %s', (text) => {
    expect(found(text)).toEqual([]);
  });

  it.each([
    ['R-free is 0.238', ['0.238']],
    ['R-free is 0.3, or 0.1', ['0.3', '0.1']],
    ['R-free fell to 19.9 %', ['19.9']],
    ['completeness 94 %', ['94']],
    ['it changed by 0.053', ['0.053']],
    ['-0.237 and −4', ['0.237', '4']],
    ['34,123 reflections', ['34,123']],
    ['Rfree0.12 and r_free=0.12', ['0.12', '0.12']],
    ['0.12Å', ['0.12']],
    ['4 cycles to 0,11 and Rfree0,12, 1,5e2', ['0,11', '0,12', '1,5e2']],
    ['cycles 4,21,5', ['5']],
    ['162 % and 2100 %', ['162', '2100']],
    ['2e-3 and 1.5e2', ['2e-3', '1.5e2']],
    ['５ and ٠.١٢', ['５', '٠', '١٢']],
    ['0 or 1 are near to nothing', ['0', '1']],
    ['0.2368.5', ['.5']],
  ] as const)('are marked in %s: %j', (text, numbers) => {
    expect(found(text)).toEqual(numbers);
  });

  it('are returned with their position', () => {
    const text = 'CC(1,3) is 0.9, R-free 0.24, and 7.';
    expect(unsupportedNumbers(text, known, names)).toEqual([
      { text: '0.9', at: 11 },
      { text: '7', at: 33 },
    ]);
    expect(text.slice(11, 14)).toBe('0.9');
  });

  it('are searched without comparing all known numbers', () => {
    let looks = 0;
    const watched = new Proxy(
      Array.from({ length: 16_384 }, (_, at) => at + 0.5),
      {
        get: (numbers, name) => {
          looks += 1;
          return Reflect.get(numbers, name) as unknown;
        },
      },
    );
    const text = Array.from({ length: 600 }, (_, at) => `${String(at)}.25 %`).join(' ');
    expect(unsupportedNumbers(text, watched, [])).toHaveLength(600);
    expect(looks).toBeLessThan(600 * 2 * 20);
  });

  it('are found fast in ten thousand digits', () => {
    const began = performance.now();
    expect(found('1,'.repeat(20_000)).length).toBeGreaterThan(0);
    expect(found('9'.repeat(20_000))).toHaveLength(1);
    expect(performance.now() - began).toBeLessThan(60_000);
  });
});
