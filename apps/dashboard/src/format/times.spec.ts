import { agoText, runtimeText, timeText } from './times';

const at = '2026-11-21T08:00:00.000Z';
const after = (seconds: number): number => Date.parse(at) + seconds * 1000;

describe('times for people', () => {
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
    expect(timeText(at, 'UTC')).toBe('2026-11-21 08:00:00 UTC');
    expect(timeText(at, 'Europe/Berlin')).toBe('2026-11-21 09:00:00 CET');
  });

  it('leave what is no time as it is', () => {
    expect([agoText('soon', 0), timeText('soon')]).toEqual(['soon', 'soon']);
  });

  it('of a run end with it, and are never less than nothing', () => {
    expect(runtimeText(at, undefined, after(75))).toBe('1 min 15 s');
    expect(runtimeText(at, '2026-11-21T10:05:00.000Z', after(1_000_000))).toBe('2 h 05 min');
    expect(runtimeText(at, undefined, after(-60))).toBe('0 s');
  });
});
