/** URL parameters of a wall: one visible proposal or beamline. */
export interface WallSearch {
  readonly proposal?: string;
  readonly beamline?: string;
}

const name = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Reads the URL parameters; what the API would reject is dropped. */
export const readWallSearch = (raw: Readonly<Record<string, unknown>>): WallSearch =>
  Object.fromEntries(
    (['proposal', 'beamline'] as const).flatMap((member) => {
      const value = raw[member];
      return typeof value === 'string' && name.test(value) ? [[member, value]] : [];
    }),
  );
