import { cifTokens } from './cif-tokens';

it.each([
  ['ATOM N ALA', ['ATOM', 'N', 'ALA']],
  [`HETATM "C1'" 'NUT' A`, ['HETATM', "C1'", 'NUT', 'A']],
  [`'a dog's life' x`, ["a dog's life", 'x']],
  [`'no end of it "with one"`, ["'no", 'end', 'of', 'it', 'with one']],
  [`''`, ['']],
  [`'`, ["'"]],
  ['  \t spaced\u000bout  ', ['spaced', 'out']],
  [`a'b "c`, ["a'b", '"c']],
  ['', []],
])('the line %j of a CIF holds the values %j', (line, values) => {
  expect(cifTokens(line)).toEqual(values);
});

it('reads as many values as are asked for', () => {
  expect(cifTokens('a b c', 2)).toEqual(['a', 'b']);
});
