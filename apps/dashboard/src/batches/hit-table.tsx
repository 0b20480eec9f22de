import { Link, useSearch } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { BatchResult, SessionLigand } from '@fleet/contracts';
import { plainLine, resolutionOf, type MetricDefinitions } from '@fleet/session-report';
import { FitValue } from '../state/fit-value';
import { SessionState } from '../state/session-state';
import { stateTexts } from '../texts';
import { batchTexts } from '../texts-batches';
import { onPage } from './batch-search';
import { hitOrders, sortedHits, type HitOrder } from './hit-list';
import { rowKindOf } from './row-kinds';

const pageSize = 100;
const columns = ['row', 'title', 'outcome', 'fit', 'ligand', 'resolution', 'spaceGroup', 'program', 'cycle'] as const;

const Head = ({ id, sort }: { readonly id: string; readonly sort: HitOrder }): ReactElement => {
  const search = useSearch({ from: '/batches/$id' });
  return (
    <tr>
      {columns.map((name) => {
        const order = hitOrders.find((known) => known === name);
        const isSorted = order === sort;
        return (
          <th key={name} scope="col" className={`column-${name}`} {...(isSorted && { 'aria-sort': 'ascending' })}>
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
          </th>
        );
      })}
    </tr>
  );
};

/** What speaks for the ligand, in short; the whole of it on hover. */
const Ligand = ({ ligand }: { readonly ligand: SessionLigand }): ReactElement => {
  const { code = '', cc, omitCc, atoms, atomsInDensity, inModel } = ligand;
  const told = batchTexts.hits.ligandTold(inModel, atomsInDensity, atoms);
  return (
    <span className="number" title={told}>
      {plainLine(code)} {cc?.toFixed(2)}
      {omitCc !== undefined && <span className="quiet small">{batchTexts.hits.omit(omitCc.toFixed(2))}</span>}
      {!inModel && <span className="quiet small">{batchTexts.hits.notInModel}</span>}
    </span>
  );
};

/** Its session; of a row that has none, why. */
const Named = ({ result: { session, problems = [] } }: { readonly result: BatchResult }): ReactElement => {
  if (session !== undefined)
    return (
      <Link to="/sessions/$id" params={{ id: session.id }} search={{}} className="title">
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

/** What its session has measured, and with what. */
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
    <td>{fit !== undefined && <FitValue fit={fit} definitions={definitions} />}</td>
    <td>{ligand !== undefined && <Ligand ligand={ligand} />}</td>
    <td className="column-resolution">{resolution?.toFixed(2)}</td>
    <td className="column-spaceGroup">{plainLine(spaceGroup)}</td>
    <td>{program.replace(/^phenix\./, '')}</td>
    <td className="number">{cycle}</td>
  </>
);

/** Columns of what is measured. */
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
    <tr data-row={row}>
      <td className="number">{row}</td>
      <td className="column-title">
        <Named result={result} />
      </td>
      <td>
        <SessionState kind={rowKindOf(result)} />
      </td>
      {session === undefined ? (
        <td colSpan={measured} />
      ) : (
        <Measured session={session} resolution={resolutionOf(result)} definitions={definitions} />
      )}
    </tr>
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
    <footer className="pages">
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
    </footer>
  );
};

/** What each row has brought, the best first. */
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
        <p className="shown-only">
          {batchTexts.hits.only} <b>{stateTexts[show].label}</b>{' '}
          <Link to="/batches/$id" params={{ id }} search={{ sort }} resetScroll={false}>
            {batchTexts.hits.all}
          </Link>
        </p>
      )}
      {wanted.length === 0 ? (
        <p className="empty">{batchTexts.hits.none}</p>
      ) : (
        <div className="table-frame">
          <table className="hits" data-testid="hits" aria-label={`${row}, ${title}, ${outcome}`}>
            <thead>
              <Head id={id} sort={sort} />
            </thead>
            <tbody>
              {sortedHits(wanted, sort)
                .slice((at - 1) * pageSize, at * pageSize)
                .map((result) => (
                  <Hit key={result.row} result={result} definitions={definitions} />
                ))}
            </tbody>
          </table>
        </div>
      )}
      {pages > 1 && <Pages id={id} page={at} pages={pages} />}
    </>
  );
};
