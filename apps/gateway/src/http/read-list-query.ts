import type { QueryValues } from '@fleet/contracts/route';
import { routes } from '@fleet/contracts/routes';
import type { SessionOrder, UnitCell } from '@fleet/contracts/sessions';
import type { SessionFilter, SessionGroup, ValueRange } from '@fleet/ports';
import { hermannMauguin, nearlyReducedCells } from '@fleet/symmetry';
import { given, msOf, QueryReader, type Query } from './read-query';

const { query: parameters } = routes.sessions.list;
type Parameters = typeof parameters;

/** Filter and order of a list of sessions. */
export interface ListQuery {
  readonly filter: SessionFilter;
  readonly order: SessionOrder;
  readonly limit: number;
  readonly cursor?: string;
}

/** The parameters that select a group of sessions. */
export const groupOf = ({
  status,
  outcome,
  proposal,
  beamline,
  batch,
  submitter,
}: Partial<QueryValues<Parameters>>): SessionGroup => given({ status, outcome, proposal, beamline, batch, submitter });

const readSpaceGroup = (reader: QueryReader<Parameters>): string | undefined => {
  const { spaceGroup: asked } = reader.values;
  const symbol = asked === undefined ? undefined : hermannMauguin(asked);
  if (asked !== undefined && symbol === undefined)
    reader.refuse('spaceGroup', 'is no space group', parameters.spaceGroup['x-allowed']);
  return symbol;
};

/**
 * Percent of the edges, and degrees: like cctbx's comparison of cells (`uctbx.unit_cell.is_similar_to`: 1 % and 1°).
 */
const defaultTolerance = 1;

const readCells = (reader: QueryReader<Parameters>, spaceGroup: string | undefined): SessionFilter['cells'] => {
  const { cell: asked, cellTolerance: tolerance } = reader.values;
  if (asked === undefined) {
    if (tolerance !== undefined) reader.refuse('cellTolerance', 'is given without a cell', 'with cell');
    return undefined;
  }
  const parts = asked.split(/[ ,]+/);
  const within = {
    edges: (tolerance ?? defaultTolerance) / 100,
    angles: tolerance ?? defaultTolerance,
  };
  const anyOf = nearlyReducedCells(
    parts.slice(0, 6).map(Number) as unknown as UnitCell,
    within,
    parts[6] ?? spaceGroup,
  );
  if (anyOf.length === 0)
    reader.refuse('cell', 'is not a cell: its edges or angles do not close', parameters.cell['x-allowed'] ?? '');
  return { anyOf, within };
};

type Bound = 'minResolution' | 'maxResolution' | 'minRFree' | 'maxRFree' | 'minCc' | 'maxCc';

const readRange = (reader: QueryReader<Parameters>, from: Bound, to: Bound): ValueRange | undefined => {
  const range = given({ min: reader.values[from], max: reader.values[to] });
  if (range.min === undefined && range.max === undefined) return undefined;
  if ((range.min ?? -Infinity) > (range.max ?? Infinity)) reader.refuse(from, `is more than ${to}`, `at most ${to}`);
  return range;
};

/** @throws ApiError `request.invalid` with every problem */
export const readListQuery = (query: Query): ListQuery => {
  const reader = new QueryReader(parameters, query);
  const { text, failure, ligand, program, since, until, sort: order, limit, cursor } = reader.values;
  const spaceGroup = readSpaceGroup(reader);
  const filter = {
    ...groupOf(reader.values),
    text,
    failure,
    ligand: ligand?.toUpperCase(),
    spaceGroup,
    cells: readCells(reader, spaceGroup),
    resolution: readRange(reader, 'minResolution', 'maxResolution'),
    rFree: readRange(reader, 'minRFree', 'maxRFree'),
    mapCc: readRange(reader, 'minCc', 'maxCc'),
    program,
    since: msOf(since),
    until: msOf(until),
  };
  reader.done();
  return { filter: given(filter), order, limit, ...(cursor !== undefined && { cursor }) };
};
