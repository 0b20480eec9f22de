import { misread } from './read-by-phil';

it('every value that a type accepts is one parameter with that value to the real PHIL parser', () => {
  expect(misread(4000, 150)).toEqual({ wrong: [], missed: [] });
});
