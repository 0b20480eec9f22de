import { logLine, noLines, withEarlier, withText } from './log-lines';

const cut = (count: number): string => ` +${String(count)}`;
const esc = '\u001b';

describe('a line of a log', () => {
  it.each([
    [`${esc}[31mred${esc}[0m and ${esc}[1;38;5;200mmore`, 'red and more'],
    [`${esc}]0;a title\u0007text`, 'text'],
    [`${esc}]8;;http://evil.example${esc}\\link${esc}]8;;${esc}\\`, 'link'],
    [`${esc}c${esc}(Btext${esc}[2J`, 'text'],
    ['\u009b31mtext', 'text'],
    ['10 %\r50 %\r100 %', '100 %'],
    ['a line of Windows\r', 'a line of Windows'],
    ['bell\u0007 and \u202eturned', 'bell\\u0007 and \\u202eturned'],
    ['a\tb', 'a    b'],
    ['<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
  ])('%j reads %j', (line, text) => {
    expect(logLine(line, cut)).toBe(text);
  });

  it('is truncated, with a note, if it is too long', () => {
    expect(logLine('x'.repeat(2_010), cut)).toBe(`${'x'.repeat(2_000)} +10`);
  });
});

describe('a log that arrives in parts', () => {
  it('does not depend on the chunk boundaries', () => {
    const text = 'one\ntwo\n\nthree';
    for (let at = 0; at <= text.length; at += 1)
      expect(withText(withText(noLines, text.slice(0, at)), text.slice(at))).toEqual({
        lines: ['one', 'two', ''],
        rest: 'three',
      });
  });

  it('prepends earlier text, also in the middle of a line', () => {
    const end = withText(noLines, 'wo\nthree\nfo');
    expect(withEarlier(end, 'one\nt')).toEqual({ lines: ['one', 'two', 'three'], rest: 'fo' });
    expect(withEarlier(withText(noLines, 'ne'), 'zero\no')).toEqual({ lines: ['zero'], rest: 'one' });
  });
});
