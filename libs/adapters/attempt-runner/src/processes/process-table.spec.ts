import { isAlive, parseStat, readProcess } from './process-table';

const line = (name: string, state = 'S'): string =>
  `4711 (${name}) ${state} 12 4711 4700 0 -1 4194304 100 0 0 0 5 6 0 0 20 0 1 0 122359 3133440 388 18446744073709551615 1 1 0`;

describe('the process table', () => {
  it('is parsed past names that look like fields', () => {
    const wanted = { pid: 4711, parent: 12, group: 4711, session: 4700, startTime: 122359, residentBytes: 388 * 4096 };
    for (const name of ['cat', 'a b', ') S 1 2 3 (', 'x)\n(y']) expect(parseStat(line(name))).toEqual(wanted);
  });

  it('leaves out zombies and invalid lines', () => {
    expect(parseStat(line('cat', 'Z'))).toBeUndefined();
    expect(parseStat('')).toBeUndefined();
    expect(parseStat('4711 (cat) S 12')).toBeUndefined();
  });

  it('identifies this process by its number and start time', () => {
    const self = readProcess(process.pid)!;
    expect(isAlive(self)).toBe(true);
    expect(isAlive({ ...self, startTime: self.startTime + 1 })).toBe(false);
    expect(readProcess(2 ** 22 + 1)).toBeUndefined();
  });
});
