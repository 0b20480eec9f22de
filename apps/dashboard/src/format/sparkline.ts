/**
 * A line through values, in a frame of this size, the first at its left edge and the largest at its top.
 * @returns points of an SVG polyline; constant values are in the middle
 */
export const sparkPoints = (values: readonly number[], width: number, height: number): string => {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const step = values.length > 1 ? width / (values.length - 1) : 0;
  const heightOf = (value: number): number =>
    most === least ? height / 2 : height - ((value - least) / (most - least)) * height;
  return values.map((value, at) => `${(at * step).toFixed(1)},${heightOf(value).toFixed(1)}`).join(' ');
};
