import { Group, Paper, Table, Text } from '@mantine/core';
import { Link, useSearch } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { BatchResult } from '@fleet/contracts/batches';
import { shortName, type SessionLigand } from '@fleet/contracts/sessions';
import { plainLine, resolutionOf, type MetricDefinitions } from '@fleet/session-report';
import { FitValue } from '../../state/fit-value';
import { SessionState } from '../../state/session-state';
import { stateTexts } from '../../texts/states';
import { batchTexts } from '../../texts/batches';
import { onPage } from './batch-search';
import { hitOrders, sortedHits, type HitOrder } from './hit-list';
import { rowKindOf } from '../../format/row-kinds';
import { TableFrame } from '../../parts/listing';
import css from './batches.module.css';
import listing from '../../parts/listing.module.css';

const pageSize = 100;
const columns = ['row', 'title', 'outcome', 'fit', 'ligand', 'resolution', 'spaceGroup', 'program', 'cycle'] as const;

const Head = ({ id, sort }: { readonly id: string; readonly sort: HitOrder }): ReactElement => {
  const search = useSearch({ from: '/batches/$id' });
  return (
    <Table.Tr>
      {columns.map((name) => {
        const order = hitOrders.find((known) => known === name);
        const isSorted = order === sort;
        return (
          <Table.Th
            key={name}
            scope="col"
            data-column={name}
            className={name === 'title' ? listing.title : undefined}
            {...(isSorted && { 'aria-sort': 'ascending' })}
          >
            {order === undefined ? (
              batchTexts.hits[name]
            ) : (
              <Link
                to="/batches/$id"
                params={{ id }}
                search={{ ...onPage(search, 1), sort: order }}
                resetScroll={false}
              >
                {batchTexts.hits[name]}
                {isSorted && <span aria-hidden="true"> ▾</span>}
              </Link>
            )}
          </Table.Th>
        );
      })}
    </Table.Tr>
  );
};

/** Evidence for the ligand, in short; in full on hover. */
const Ligand = ({ ligand }: { readonly ligand: SessionLigand }): ReactElement => {
  const { code = '', cc, omitCc, atoms, atomsInDensity, inModel } = ligand;
  const ligandText = batchTexts.hits.ligandSummary(inModel, atomsInDensity, atoms);
  return (
    <span className="number" title={ligandText}>
      {plainLine(code)} {cc?.toFixed(2)}
      {omitCc !== undefined && <span className="quiet small">{batchTexts.hits.omit(omitCc.toFixed(2))}</span>}
      {!inModel && <span className="quiet small">{batchTexts.hits.notInModel}</span>}
    </span>
  );
};

/** The session of a row, or why it has none. */
const Named = ({ result: { session, problems = [] } }: { readonly result: BatchResult }): ReactElement => {
  if (session !== undefined)
    return (
      <Link to="/sessions/$id" params={{ id: session.id }} search={{}}>
        {plainLine(session.title) || session.id}
      </Link>
    );
  const why = plainLine(problems.map(({ field, reason }) => `${field}: ${reason}`).join('; '));
  return (
    <span className="quiet" title={why}>
      {why || batchTexts.hits.noSession}
    </span>
  );
};

/** Metrics of the session, and the programs that measured them. */
const Measured = ({
  session: { fit, ligand, spaceGroup = '', program = '', cycle },
  resolution,
  definitions,
}: {
  readonly session: NonNullable<BatchResult['session']>;
  readonly resolution: number | undefined;
  readonly definitions: MetricDefinitions;
}): ReactElement => (
  <>
    <Table.Td>{fit !== undefined && <FitValue fit={fit} definitions={definitions} />}</Table.Td>
    <Table.Td>{ligand !== undefined && <Ligand ligand={ligand} />}</Table.Td>
    <Table.Td data-column="resolution">{resolution?.toFixed(2)}</Table.Td>
    <Table.Td data-column="spaceGroup">{plainLine(spaceGroup)}</Table.Td>
    <Table.Td>{shortName(program)}</Table.Td>
    <Table.Td className="number">{cycle}</Table.Td>
  </>
);

/** Number of metric columns. */
const measured = 6;

const Hit = ({
  result,
  definitions,
}: {
  readonly result: BatchResult;
  readonly definitions: MetricDefinitions;
}): ReactElement => {
  const { session, row } = result;
  return (
    <Table.Tr data-row={row}>
      <Table.Td className="number">{row}</Table.Td>
      <Table.Td className={listing.title}>
        <Named result={result} />
      </Table.Td>
      <Table.Td>
        <SessionState kind={rowKindOf(result)} />
      </Table.Td>
      {session === undefined ? (
        <Table.Td colSpan={measured} />
      ) : (
        <Measured session={session} resolution={resolutionOf(result)} definitions={definitions} />
      )}
    </Table.Tr>
  );
};

const Pages = ({
  id,
  page,
  pages,
}: {
  readonly id: string;
  readonly page: number;
  readonly pages: number;
}): ReactElement => {
  const search = useSearch({ from: '/batches/$id' });
  return (
    <Group component="footer" gap={18}>
      <span className="quiet">{batchTexts.hits.page(page, pages)}</span>
      {page > 1 && (
        <Link to="/batches/$id" params={{ id }} search={onPage(search, page - 1)} resetScroll={false}>
          ←
        </Link>
      )}
      {page < pages && (
        <Link to="/batches/$id" params={{ id }} search={onPage(search, page + 1)} resetScroll={false}>
          →
        </Link>
      )}
    </Group>
  );
};

/** The result of each row, the best first. */
export const HitTable = ({
  id,
  results,
  definitions,
}: {
  readonly id: string;
  readonly results: readonly BatchResult[];
  readonly definitions: MetricDefinitions;
}): ReactElement => {
  const { sort = 'fit', show, page = '1' } = useSearch({ from: '/batches/$id' });
  const wanted = show === undefined ? results : results.filter((result) => rowKindOf(result) === show);
  const pages = Math.max(1, Math.ceil(wanted.length / pageSize));
  const at = Math.min(pages, Number(page));
  const { row, title, outcome } = batchTexts.hits;
  return (
    <>
      {show !== undefined && (
        <Text mb="xs">
          {batchTexts.hits.only} <b>{stateTexts[show].label}</b>{' '}
          <Link to="/batches/$id" params={{ id }} search={{ sort }} resetScroll={false}>
            {batchTexts.hits.all}
          </Link>
        </Text>
      )}
      {wanted.length === 0 ? (
        <Paper component="p" p={40} ta="center" c="dimmed">
          {batchTexts.hits.none}
        </Paper>
      ) : (
        <TableFrame>
          <Table className={css.hits} data-testid="hits" aria-label={`${row}, ${title}, ${outcome}`}>
            <Table.Thead>
              <Head id={id} sort={sort} />
            </Table.Thead>
            <Table.Tbody>
              {sortedHits(wanted, sort)
                .slice((at - 1) * pageSize, at * pageSize)
                .map((result) => (
                  <Hit key={result.row} result={result} definitions={definitions} />
                ))}
            </Table.Tbody>
          </Table>
        </TableFrame>
      )}
      {pages > 1 && <Pages id={id} page={at} pages={pages} />}
    </>
  );
};
