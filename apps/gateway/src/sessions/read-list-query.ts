import { sessionOrders, sessionOutcomes, sessionStatuses, type SessionOrder, type UnitCell } from '@fleet/contracts';
import type { SessionFilter, SessionGroup, ValueRange } from '@fleet/ports';
import { hermannMauguin, nearlyReducedCells } from '@fleet/symmetry';
import { QueryReader, type Query } from '../http/read-query';

const name = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const nameAllowed = 'letters, digits, ".", "_" and "-"';
const batchForm = /^[0-9a-z][0-9a-z-]{0,63}$/;
/** As submitters and titles are. */
const lineForm = /^[^\p{Cc}]{1,200}$/u;
const lineAllowed = 'one line of text, at most 200 characters';
/** As `SessionIndex.list` gives them: a JSON array in base64url. */
const cursorForm = /^W[A-Za-z0-9_-]{20,2000}$/;
const codeForm = /^[A-Za-z0-9]{1,5}$/;
const programForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const number = String.raw`\d{1,5}(?:\.\d{1,9})?`;
const cellForm = new RegExp(`^${number}(?:[ ,]+${number}){5}(?:[ ,]+[PABCIFRH])?$`);
const cellAllowed =
  'a, b, c in Å and alpha, beta, gamma in degrees, such as 78,78,37,90,90,90; for a centred cell its letter follows, such as 92,46,60,90,107,90,C';

/** By what sessions have in common. */
export const groupParameters = ['status', 'outcome', 'proposal', 'beamline', 'batch', 'submitter'] as const;
/** Of these, what a wall may filter by: another filter would tell what its rows do not show. */
export const wallParameters = ['proposal', 'beamline'] as const;
const rangeParameters = ['minResolution', 'maxResolution', 'minRFree', 'maxRFree', 'minCc', 'maxCc'] as const;
const parameters = [
  ...groupParameters,
  ...rangeParameters,
  'text',
  'failure',
  'ligand',
  'spaceGroup',
  'cell',
  'cellTolerance',
  'program',
  'since',
  'until',
  'sort',
  'limit',
  'cursor',
] as const;

/** Which sessions are to be listed, and how. */
export interface ListQuery {
  readonly filter: SessionFilter;
  readonly order: SessionOrder;
  readonly limit: number;
  readonly cursor?: string;
}

/** What is wrong with them is reported by the reader. */
export const readGroup = (reader: QueryReader): SessionGroup =>
  given({
    status: reader.choice('status', sessionStatuses),
    outcome: reader.choice('outcome', sessionOutcomes),
    proposal: reader.text('proposal', name, nameAllowed),
    beamline: reader.text('beamline', name, nameAllowed),
    batch: reader.text('batch', batchForm, 'the id of a batch'),
    submitter: reader.text('submitter', lineForm, lineAllowed),
  });

const readSpaceGroup = (reader: QueryReader): string | undefined => {
  const allowed = 'a Hermann-Mauguin symbol, such as P 43 21 2, P212121 or H 3';
  const asked = reader.text('spaceGroup', lineForm, allowed);
  const symbol = asked === undefined ? undefined : hermannMauguin(asked);
  if (asked !== undefined && symbol === undefined) reader.refuse('spaceGroup', 'is no space group', allowed);
  return symbol;
};

/** Percent of the edges, and degrees: as cctbx compares cells (`uctbx.unit_cell.is_similar_to`: 1 % and 1°). */
const defaultTolerance = 1;

const readCells = (reader: QueryReader, spaceGroup: string | undefined): SessionFilter['cells'] => {
  const asked = reader.text('cell', cellForm, cellAllowed);
  const tolerance = reader.number('cellTolerance', { min: 0, max: 10 });
  if (asked === undefined) {
    if (tolerance !== undefined) reader.refuse('cellTolerance', 'is given without a cell', 'with cell');
    return undefined;
  }
  const given = asked.split(/[ ,]+/);
  const within = {
    edges: (tolerance ?? defaultTolerance) / 100,
    angles: tolerance ?? defaultTolerance,
  };
  const anyOf = nearlyReducedCells(
    given.slice(0, 6).map(Number) as unknown as UnitCell,
    within,
    given[6] ?? spaceGroup,
  );
  if (anyOf.length === 0) reader.refuse('cell', 'is not a cell: its edges or angles do not close', cellAllowed);
  return { anyOf, within };
};

const readRange = (
  reader: QueryReader,
  min: (typeof rangeParameters)[number],
  max: (typeof rangeParameters)[number],
  limits: { readonly min: number; readonly max: number },
): ValueRange | undefined => {
  const range = given({ min: reader.number(min, limits), max: reader.number(max, limits) });
  if (range.min === undefined && range.max === undefined) return undefined;
  if ((range.min ?? limits.min) > (range.max ?? limits.max))
    reader.refuse(min, `is more than ${max}`, `at most ${max}`);
  return range;
};

const angstroms = { min: 0, max: 1000 };
const fractions = { min: 0, max: 1 };
const correlations = { min: -1, max: 1 };

/** @throws ApiError `request.invalid` with every problem that was found */
export const readListQuery = (query: Query): ListQuery => {
  const reader = new QueryReader(query, parameters);
  const spaceGroup = readSpaceGroup(reader);
  const filter = {
    ...readGroup(reader),
    text: reader.text('text', lineForm, lineAllowed),
    failure: reader.text('failure', lineForm, lineAllowed),
    ligand: reader.text('ligand', codeForm, 'a code of 1 to 5 letters and digits, such as NAG')?.toUpperCase(),
    spaceGroup,
    cells: readCells(reader, spaceGroup),
    resolution: readRange(reader, 'minResolution', 'maxResolution', angstroms),
    rFree: readRange(reader, 'minRFree', 'maxRFree', fractions),
    mapCc: readRange(reader, 'minCc', 'maxCc', correlations),
    program: reader.text('program', programForm, 'the name of a program, such as phenix.refine'),
    since: reader.time('since'),
    until: reader.time('until'),
  };
  const order = reader.choice('sort', sessionOrders) ?? '-created';
  const cursor = reader.text('cursor', cursorForm, 'a nextCursor of an earlier answer with the same sort');
  const limit = reader.integer('limit', { default: 50, min: 1, max: 500 });
  reader.done();
  return { filter: given(filter), order, limit, ...(cursor !== undefined && { cursor }) };
};

type Given<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

const given = <T extends object>(values: T): Given<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<T>;
