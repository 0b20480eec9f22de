import { sparkPoints } from './sparkline';

describe('a line through values', () => {
  it('goes from edge to edge, with the largest value on top', () => {
    expect(sparkPoints([0.4, 0.2, 0.3], 60, 20)).toBe('0.0,0.0 30.0,20.0 60.0,10.0');
  });

  it('is in the middle for constant values', () => {
    expect(sparkPoints([0.2, 0.2], 60, 20)).toBe('0.0,10.0 60.0,10.0');
    expect(sparkPoints([0.2], 60, 20)).toBe('0.0,10.0');
  });
});
