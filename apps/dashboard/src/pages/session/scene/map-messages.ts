import type { Density } from './density';
import type { Peak } from './peaks';

/** A map that is to be made. */
export interface MapRequest {
  readonly file: ArrayBuffer;
  /** Pairs of columns of map coefficients; absent: the file is a map. */
  readonly labels?: { readonly density?: string; readonly difference?: string };
  /** x, y and z of each atom of the model, in Å. */
  readonly atoms: Float32Array;
}

/** Its outcome, a message for each map; the last one is `done` or a problem in a sentence. */
export type MapAnswer =
  | { readonly kind: 'density'; readonly map: Density }
  | { readonly kind: 'difference'; readonly map: Density; readonly peaks: readonly Peak[] }
  | { readonly kind: 'done' }
  | { readonly kind: 'problem'; readonly problem: string };
