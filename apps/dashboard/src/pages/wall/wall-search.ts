/** What a wall is about: one proposal or beamline, of those that one sees. */
export interface WallSearch {
  readonly proposal?: string;
  readonly beamline?: string;
}

const name = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Reads an address; what the API would refuse is left out of it. */
export const readWallSearch = (raw: Readonly<Record<string, unknown>>): WallSearch =>
  Object.fromEntries(
    (['proposal', 'beamline'] as const).flatMap((member) => {
      const value = raw[member];
      return typeof value === 'string' && name.test(value) ? [[member, value]] : [];
    }),
  );
