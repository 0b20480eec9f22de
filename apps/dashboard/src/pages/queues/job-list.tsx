import { Group, NativeSelect, Table } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { jobOrders, type QueuedJobsPage, type QueuedJobView } from '@fleet/contracts/queues';
import { plainLine } from '@fleet/session-report';
import { Ago } from '../../parts/time';
import { Listing } from '../../parts/listing';
import { queueTexts as words } from '../../texts/queues';
import { JobRelevanceMark } from './job-relevance-mark';
import type { ChosenJobs } from './queue-table';

/** The most useful time of a job: when it entered its state. */
const timeOf = ({ place, addedAt, startedAt, endedAt, beginsAt }: QueuedJobView): string =>
  ({ active: startedAt, waiting: addedAt, delayed: beginsAt, failed: endedAt })[place] ?? addedAt;

const Row = ({ job }: { readonly job: QueuedJobView }): ReactElement => (
  <Table.Tr data-job={job.id}>
    <Table.Td>
      <Link
        to="/operations/queues"
        search={(before) => ({ ...before, queue: job.queue, place: job.place, job: job.id })}
        style={{ fontWeight: 600 }}
      >
        {plainLine(job.title ?? '') || plainLine(job.id)}
      </Link>
      <span className="quiet small">
        {plainLine(job.job)} · <span className="mono">{plainLine(job.id)}</span>
      </span>
    </Table.Td>
    <Table.Td data-label={words.relevance}>
      <JobRelevanceMark relevance={job.relevance} />
    </Table.Td>
    <Table.Td data-label={words.tries}>{words.triesOf(job.tries, job.mostTries)}</Table.Td>
    <Table.Td data-label={words.time[job.place]}>
      <Ago at={timeOf(job)} />
    </Table.Td>
    <Table.Td miw={260}>{job.reason !== undefined && plainLine(job.reason)}</Table.Td>
  </Table.Tr>
);

const Order = ({ chosen }: { readonly chosen: ChosenJobs }): ReactElement => {
  const { order = 'oldest' } = useSearch({ from: '/operations/queues' });
  const navigate = useNavigate();
  return (
    <NativeSelect
      size="xs"
      aria-label={words.order.label}
      data={jobOrders.map((value) => ({ value, label: words.order[value] }))}
      value={order}
      onChange={({ currentTarget: { value } }) => {
        const wanted = jobOrders.find((known) => known === value);
        void navigate({
          to: '/operations/queues',
          search: { ...chosen, ...(wanted !== undefined && { order: wanted }) },
          resetScroll: false,
        });
      }}
    />
  );
};

/** Jobs in one state of a queue, a page at a time. */
export const JobList = ({
  page: { jobs, hidden, total, nextOffset },
  chosen,
}: {
  readonly page: QueuedJobsPage;
  readonly chosen: ChosenJobs;
}): ReactElement => {
  const { offset, ...first } = useSearch({ from: '/operations/queues' });
  const from = Number(offset ?? 0);
  return (
    <>
      <Group gap="xs">
        <Order chosen={chosen} />
        <span className="quiet">
          {total === 0
            ? words.none
            : words.shown(Math.min(from + 1, total), Math.min(from + jobs.length + hidden, total), total)}
        </span>
      </Group>
      {jobs.length > 0 && (
        <Listing
          columns={[words.job, words.relevance, words.tries, words.time[chosen.place], words.reason]}
          testId="jobs"
          isStacked
        >
          {jobs.map((job) => (
            <Row key={job.id} job={job} />
          ))}
        </Listing>
      )}
      {hidden > 0 && <p className="quiet">{words.hidden(hidden)}</p>}
      <Group component="p" gap={18}>
        {from > 0 && (
          <Link to="/operations/queues" search={first} resetScroll={false}>
            {words.first}
          </Link>
        )}
        {nextOffset !== undefined && (
          <Link to="/operations/queues" search={{ ...first, offset: String(nextOffset) }} resetScroll={false}>
            {words.next}
          </Link>
        )}
      </Group>
    </>
  );
};
