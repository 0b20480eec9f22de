import { movedTo } from './trace-keys';
import { traceTree } from './trace-tree';

const rows = traceTree(
  ['1', '1.1', '1.1.1', '1.2', '2'].map((path) => ({ path, kind: 'cycle', what: '', status: 'done' })),
);
const all = (): boolean => true;
const none = (): boolean => false;

describe('keys in the tree of a trace', () => {
  it.each([
    ['ArrowDown', 0, { focus: 1 }],
    ['ArrowDown', 4, { focus: 4 }],
    ['ArrowUp', 0, { focus: 0 }],
    ['PageDown', 1, { focus: 4 }],
    ['PageUp', 3, { focus: 0 }],
    ['Home', 3, { focus: 0 }],
    ['End', 1, { focus: 4 }],
    ['Enter', 3, { choose: '1.2' }],
    [' ', 2, { choose: '1.1.1' }],
    ['x', 2, undefined],
  ])('%s on row %d', (key, at, move) => {
    expect(movedTo(key, rows, at, all)).toEqual(move);
  });

  it('right opens, and moves to the first part of an open row; left closes, and moves to the parent', () => {
    expect(movedTo('ArrowRight', rows, 0, none)).toEqual({ path: '1', open: true });
    expect(movedTo('ArrowRight', rows, 0, all)).toEqual({ focus: 1 });
    expect(movedTo('ArrowRight', rows, 2, all)).toBeUndefined();
    expect(movedTo('ArrowLeft', rows, 0, all)).toEqual({ path: '1', open: false });
    expect(movedTo('ArrowLeft', rows, 2, all)).toEqual({ focus: 1 });
    expect(movedTo('ArrowLeft', rows, 0, none)).toBeUndefined();
  });

  it('does nothing without a row', () => {
    for (const key of ['ArrowRight', 'ArrowLeft', 'Enter']) expect(movedTo(key, [], 0, all)).toBeUndefined();
  });
});
