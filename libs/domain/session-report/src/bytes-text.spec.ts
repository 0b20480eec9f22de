import { bytesText } from './bytes-text';

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_234, '1.2 kB'],
  [45_678, '46 kB'],
  [999_600, '1.0 MB'],
  [5e9, '5.0 GB'],
])('%d bytes are %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
});
