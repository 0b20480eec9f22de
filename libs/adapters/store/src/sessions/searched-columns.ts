import type { Insertable } from 'kysely';
import { componentOf, type SessionOutcome, type SessionRequest, type UnitCell } from '@fleet/contracts/sessions';
import { hermannMauguin, reducedCell } from '@fleet/symmetry';
import type { StoredSession } from './session-change';
import type { SessionsTable } from './session-tables';

type SearchedColumns = Pick<
  Insertable<SessionsTable>,
  | 'sample'
  | 'ligands'
  | 'space_group'
  | 'reduced_cell'
  | 'resolution'
  | 'r_free'
  | 'map_cc'
  | 'programs'
  | 'failure'
  | 'searched'
  | 'experiment'
>;

/** Normalises texts of `sessions.searched`, and search terms. */
export const lowered = (text: string): string => text.toLowerCase();

/** The symbol of gemmi; an invalid space group stays unchanged. */
const symbolOf = (group: string): string => hermannMauguin(group) ?? group;

const cellOf = ({ inputs }: SessionRequest): UnitCell | undefined => {
  const facts = inputs.map((file) => file.facts).find(({ mtz, cell }) => mtz !== undefined && cell !== undefined);
  return facts?.cell === undefined ? undefined : reducedCell(facts.cell, facts.spaceGroup);
};

/**
 * Characters of all dictionary codes, about eighty codes. More are a monomer library, which does not identify the
 * ligand; indexes limit the length too.
 */
const longestCodes = 500;

const ligandsOf = ({ ligands = [], inputs }: SessionRequest, fitted: string | undefined): readonly string[] => {
  const given = distinctCodes(inputs.flatMap(({ facts }) => facts.restraints?.codes ?? []));
  return distinctCodes([
    ...ligands.map(componentOf),
    ...(given.join(',').length > longestCodes ? [] : given),
    ...(fitted === undefined ? [] : [fitted]),
  ]);
};

const distinctCodes = (codes: readonly string[]): readonly string[] => [
  ...new Set(codes.map((code) => storable(code).toUpperCase())),
];

/** A PostgreSQL column cannot store U+0000. */
const storable = (text: string): string => text.replaceAll('\0', '');

/** R-free for a crystal, the correlation for a map. */
const fitColumns = ({ fit }: StoredSession['progress']): Pick<SearchedColumns, 'r_free' | 'map_cc'> => {
  const isRFree = fit?.metric === 'r_free';
  return { r_free: isRFree ? fit.value : null, map_cc: fit === undefined || isRFree ? null : fit.value };
};

/** Without undefined values, which an update leaves unchanged. */
const givenColumns = ({
  programs,
  experiment,
}: Pick<StoredSession['progress'], 'programs' | 'experiment'>): Pick<SearchedColumns, 'programs' | 'experiment'> => ({
  ...(programs !== undefined && { programs }),
  ...(experiment !== undefined && { experiment }),
});

const withoutFailure: readonly (SessionOutcome | undefined)[] = ['solved', 'goal_reached', 'cancelled', undefined];

/** The search columns that derive from the request alone. */
export const searchedColumnsOfRequest = ({
  id,
  request,
}: StoredSession['session']): Pick<SearchedColumns, 'sample' | 'reduced_cell' | 'searched'> => {
  const { title, sample } = request;
  return {
    sample: sample ?? null,
    reduced_cell: cellOf(request) ?? null,
    searched: lowered([title, sample ?? [], id].flat().join('\n')),
  };
};

/** The other search columns. Absent: an older release wrote its progress, and the column stays unchanged. */
export const searchedColumnsOfMove = (
  { session, progress }: StoredSession,
  outcome: SessionOutcome | undefined,
): Omit<SearchedColumns, keyof ReturnType<typeof searchedColumnsOfRequest>> => {
  const { request, stop } = session;
  const { spaceGroup, resolution = null, ligand } = progress;
  return {
    ligands: ligandsOf(request, ligand?.code),
    space_group: spaceGroup === undefined ? null : storable(symbolOf(spaceGroup)),
    resolution,
    ...fitColumns(progress),
    failure: stop === undefined || withoutFailure.includes(outcome) ? null : storable(stop.detail),
    ...givenColumns(progress),
  };
};
