import type { Operation } from '@fleet/contracts/results';
import { openedAtFirst, shownRows, traceTree } from './trace-tree';

const one = (path: string, kind: Operation['kind'], status: Operation['status'] = 'done'): Operation => ({
  path,
  kind,
  what: kind,
  status,
});
const cycle = (number: number, status: Operation['status'] = 'done'): readonly Operation[] => [
  one(String(number), 'cycle', status),
  one(`${String(number)}.1`, 'decision'),
  one(`${String(number)}.1.1`, 'request'),
  one(`${String(number)}.2`, 'program', status),
];
const cycles = (count: number): readonly Operation[] => Array.from({ length: count }, (_, at) => cycle(at + 1)).flat();
const paths = (rows: ReturnType<typeof traceTree>): readonly string[] => rows.map(({ operation }) => operation.path);

describe('the tree of a trace', () => {
  it('has the parent of each row, and its position there', () => {
    const rows = traceTree([...cycle(1), one('a1', 'assessment')]);
    expect(
      rows.map(({ parent, level, position, siblings, hasParts }) => ({ parent, level, position, siblings, hasParts })),
    ).toEqual([
      { parent: undefined, level: 1, position: 1, siblings: 2, hasParts: true },
      { parent: '1', level: 2, position: 1, siblings: 2, hasParts: true },
      { parent: '1.1', level: 3, position: 1, siblings: 1, hasParts: false },
      { parent: '1', level: 2, position: 2, siblings: 2, hasParts: false },
      { parent: undefined, level: 1, position: 2, siblings: 2, hasParts: false },
    ]);
  });

  it('initially opens all of a short session, and of a long one the last cycle and operations in progress', () => {
    const short = traceTree(cycles(3));
    expect(paths(shownRows(short, (path) => openedAtFirst(short).has(path)))).toEqual(paths(short));
    const long = traceTree([...cycles(98), ...cycle(99, 'open'), ...cycle(100)]);
    const shown = paths(shownRows(long, (path) => openedAtFirst(long).has(path)));
    expect(shown).toHaveLength(106);
    expect(shown.slice(98)).toEqual(['99', '99.1', '99.1.1', '99.2', '100', '100.1', '100.1.1', '100.2']);
  });

  it('hides everything below a closed row', () => {
    const rows = traceTree(cycles(2));
    expect(paths(shownRows(rows, (path) => path !== '1'))).toEqual(['1', '2', '2.1', '2.1.1', '2.2']);
    expect(paths(shownRows(rows, () => false))).toEqual(['1', '2']);
  });
});
