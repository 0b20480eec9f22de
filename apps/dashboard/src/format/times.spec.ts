import { agoText, clockText, runtimeText, setTimeZone, timeText } from './times';

const at = '2026-11-21T08:00:00.000Z';
const after = (seconds: number): number => Date.parse(at) + seconds * 1000;

describe('displayed times', () => {
  it.each([
    [-5, 'now'],
    [0, 'now'],
    [59, '59 s ago'],
    [60, '1 min ago'],
    [7_199, '1 h ago'],
    [200_000, '2 d ago'],
  ])('%d s later it was %s', (seconds, text) => {
    expect(agoText(at, after(seconds))).toBe(text);
  });

  it('are absolute with their zone', () => {
    setTimeZone('UTC');
    expect(timeText(at)).toBe('2026-11-21 08:00:00 UTC');
    setTimeZone('Europe/Berlin');
    expect(timeText(at)).toBe('2026-11-21 09:00:00 CET');
    expect(clockText(Date.parse(at))).toBe('09:00:00');
  });

  it("use the browser's zone if it does not know the facility's", () => {
    setTimeZone(undefined);
    const own = timeText(at);
    for (const unknown of ['Mars/Olympus', '']) {
      setTimeZone(unknown);
      expect(timeText(at)).toBe(own);
    }
  });

  it('leave invalid times unchanged', () => {
    expect([agoText('soon', 0), timeText('soon')]).toEqual(['soon', 'soon']);
  });

  it('of a run end with it, and are never negative', () => {
    expect(runtimeText(at, undefined, after(75))).toBe('1 min 15 s');
    expect(runtimeText(at, '2026-11-21T10:05:00.000Z', after(1_000_000))).toBe('2 h 05 min');
    expect(runtimeText(at, undefined, after(-60))).toBe('0 s');
  });
});
