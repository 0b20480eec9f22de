import { markedPieces } from './marked-text';

const text = 'R-free is 0.12, and 0.12 again.';

it('splits a text at its marked numbers', () => {
  const unsupported = [
    { text: '0.12', at: 10 },
    { text: '0.12', at: 20 },
  ];
  expect(markedPieces({ text, unsupported })).toEqual([
    { text: 'R-free is ', isMarked: false },
    { text: '0.12', isMarked: true },
    { text: ', and ', isMarked: false },
    { text: '0.12', isMarked: true },
    { text: ' again.', isMarked: false },
  ]);
  expect(markedPieces({ text: '0.5', unsupported: [{ text: '0.5', at: 0 }] })).toEqual([
    { text: '0.5', isMarked: true },
  ]);
});

it('is one piece without marks', () => {
  expect(markedPieces({ text })).toEqual([{ text, isMarked: false }]);
  expect(markedPieces({ text: '' })).toEqual([]);
});

it.each([
  ['beyond the end', [{ text: '0.12', at: 99 }]],
  ['of other words', [{ text: '0.99', at: 10 }]],
  [
    'out of order',
    [
      { text: '0.12', at: 20 },
      { text: '0.12', at: 10 },
    ],
  ],
  ['below zero', [{ text: '0.12', at: -3 }]],
  ['empty', [{ text: '', at: 3 }]],
])('loses and repeats nothing if a position is %s', (_, unsupported) => {
  const pieces = markedPieces({ text, unsupported });
  expect(pieces.map((piece) => piece.text).join('')).toBe(text);
});
