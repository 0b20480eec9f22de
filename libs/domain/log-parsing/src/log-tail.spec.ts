import { LogTail } from './log-tail';

const tailOf = (lines: readonly string[], size = 3, width = 5): readonly string[] => {
  const tail = new LogTail(size, width);
  for (const line of lines) tail.add(line);
  return tail.read();
};

it.each([
  [[], []],
  [
    ['a', 'b'],
    ['a', 'b'],
  ],
  [
    ['a', 'b', 'c'],
    ['a', 'b', 'c'],
  ],
  [
    ['a', 'b', 'c', 'd'],
    ['b', 'c', 'd'],
  ],
  [
    ['a', 'b', 'c', 'd', 'e', 'f', 'g'],
    ['e', 'f', 'g'],
  ],
])('the last three lines of %j, oldest first', (lines, kept) => {
  expect(tailOf(lines)).toEqual(kept);
});

it('a line of the tail is truncated, with a mark', () => {
  expect(tailOf(['12345', '123456'])).toEqual(['12345', '12345 …']);
});
