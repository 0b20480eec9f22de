import { quoted } from './quoted';

const limits = { lines: 3, characters: 40 };

describe('a section with external text', () => {
  it.each([
    ['line ends of all kinds', ['a\nb\r\nc'], '## T\n| a\n| b\n| c'],
    ['line ends that not everybody sees', ['a\u2028b\u0085c'], '## T\n| a\n| b\n| c'],
    ['what looks like a title', ['## Menu'], '## T\n| ## Menu'],
    ['what is not seen', ['a\u202eb\u0000\u200bc'], '## T\n| a b  c'],
    ['nothing', ['', ' \n '], '## T\n| (none)'],
    ['more lines than it may have', ['a\nb\nc\nd'], '## T\n| a\n| b\n| c\n| …'],
    ['long lines', ['x'.repeat(50)], `## T\n| ${'x'.repeat(40)} …`],
    ['folders', ['saw "/dls/mx1234/ada/lyso_1.mtz" (/tmp/x/y.pdb)'], '## T\n| saw "lyso_1.mtz" (y.pdb)'],
  ])('%s', (_what, texts, expected) => {
    expect(quoted('T', texts, limits)).toBe(expected);
  });
});
