import { Skeleton, Tabs } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo, type ReactElement } from 'react';
import type { BatchView } from '@fleet/contracts/batches';
import { plainLine } from '@fleet/session-report';
import { fetchBatch, fetchBatchResults, isFailure } from '../../api/calls';
import { Failure, Pending } from '../../parts/failure';
import { useDefinitions } from '../../parts/use-definitions';
import { useTitle } from '../../parts/use-title';
import { batchTexts } from '../../texts/batches';
import { BatchHeader } from './batch-header';
import { Distributions } from './distributions';
import { failureGroups } from './failure-groups';
import { FailureList } from './failure-list';
import { HitTable } from './hit-table';
import { OutcomeGrid } from './outcome-grid';
import { Columns } from '../../parts/columns';
import { Page } from '../../parts/page';

/** A batch with more rows than this is polled less often, because all are read after each change. */
const manyRows = 1_000;

const Results = ({ batch }: { readonly batch: BatchView }): ReactElement => {
  const { id, states, sessions, outcomes, done } = batch;
  const { view = 'hits' } = useSearch({ from: '/batches/$id' });
  const navigate = useNavigate();
  const { definitions } = useDefinitions();
  const results = useQuery({
    // Fetched again when something in it has ended or begun, and from time to time while it runs.
    queryKey: ['batch-results', id, JSON.stringify([states, sessions, outcomes])],
    queryFn: ({ signal }) => fetchBatchResults(id, signal),
    placeholderData: keepPreviousData,
    refetchInterval: done ? false : 30_000,
  });
  const { data } = results;
  const groups = useMemo(() => failureGroups(data ?? []), [data]);
  if (data === undefined) return <Pending query={results} height={300} />;
  const show = (next: string | null): void => {
    const search = next === 'failures' ? ({ view: 'failures' } as const) : {};
    void navigate({ to: '/batches/$id', params: { id }, search, resetScroll: false });
  };
  return (
    <>
      <Columns of="2fr 1fr">
        <OutcomeGrid id={id} results={data} definitions={definitions} />
        <Distributions results={data} definitions={definitions} />
      </Columns>
      <Tabs value={view} onChange={show} keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="hits">{batchTexts.views.hits}</Tabs.Tab>
          <Tabs.Tab value="failures">
            {batchTexts.views.failures(groups.reduce((sum, { results: of }) => sum + of.length, 0))}
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="hits">
          <HitTable id={id} results={data} definitions={definitions} />
        </Tabs.Panel>
        <Tabs.Panel value="failures">
          <FailureList groups={groups} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
};

const Shown = ({ batch }: { readonly batch: BatchView }): ReactElement => {
  useTitle(plainLine(batch.title) || batchTexts.untitled);
  return (
    <>
      <BatchHeader batch={batch} />
      {batch.rows > 0 && <Results batch={batch} />}
    </>
  );
};

/** A batch: progress, results and failures. */
export const BatchPage = (): ReactElement => {
  const { id } = useParams({ from: '/batches/$id' });
  const batch = useQuery({
    queryKey: ['batch', id],
    queryFn: ({ signal }) => fetchBatch(id, signal),
    refetchInterval: ({ state: { data } }) => (data?.done === true || (data?.rows ?? 0) > manyRows ? 30_000 : 3_000),
  });
  const { data, error } = batch;
  return (
    <Page>
      <Link to="/batches" search={{}}>
        ← {batchTexts.back}
      </Link>
      {data !== undefined && <Shown batch={data} />}
      {data === undefined && error === null && <Skeleton height={400} />}
      {data === undefined && error !== null && (
        <Failure
          error={isFailure(error, 404) ? new Error(batchTexts.notFound) : error}
          onAgain={() => void batch.refetch()}
        />
      )}
    </Page>
  );
};
