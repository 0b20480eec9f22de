/** x, y and z in Å. */
export type Point = readonly [number, number, number];
