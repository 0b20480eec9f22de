import { Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { jobPlaces, type JobPlace, type QueueName, type QueueView } from '@fleet/contracts/queues';
import { Ago } from '../../parts/time';
import { Listing } from '../../parts/listing';
import { queueTexts as words } from '../../texts/queues';
import css from './queues.module.css';

export interface ChosenJobs {
  readonly queue: QueueName;
  readonly place: JobPlace;
}

const Count = ({
  of,
  place,
  chosen,
}: {
  readonly of: QueueView;
  readonly place: JobPlace;
  readonly chosen: ChosenJobs;
}): ReactElement => {
  const isChosen = chosen.queue === of.name && chosen.place === place;
  const isBad = place === 'failed' && of.jobs.failed > 0;
  return (
    <Table.Td data-label={words.places[place]}>
      <Link
        to="/operations/queues"
        search={{ queue: of.name, place, ...(place === 'failed' && { order: 'newest' as const }) }}
        resetScroll={false}
        className={css.count}
        {...(isBad && { 'data-bad': true })}
        aria-label={`${words.list(words.places[place], of.name)}: ${String(of.jobs[place])}`}
        aria-current={isChosen ? 'true' : 'false'}
      >
        {of.jobs[place]}
      </Link>
    </Table.Td>
  );
};

/** Number of jobs by queue and state; each number is a link to them. */
export const QueueTable = ({
  queues,
  chosen,
}: {
  readonly queues: readonly QueueView[];
  readonly chosen: ChosenJobs;
}): ReactElement => (
  <>
    <Listing
      columns={[words.queue, ...jobPlaces.map((place) => words.places[place]), words.oldest]}
      testId="queues"
      isStacked
    >
      {queues.map((queue) => (
        <Table.Tr key={queue.name} data-queue={queue.name}>
          <Table.Th scope="row">
            {queue.name}
            <span className="quiet small">{words.queues[queue.name]}</span>
          </Table.Th>
          {jobPlaces.map((place) => (
            <Count key={place} of={queue} place={place} chosen={chosen} />
          ))}
          <Table.Td data-label={words.oldest}>
            {queue.oldestWaitingAt === undefined ? (
              <span className="quiet">{words.noneWaiting}</span>
            ) : (
              <Ago at={queue.oldestWaitingAt} />
            )}
          </Table.Td>
        </Table.Tr>
      ))}
    </Listing>
    {queues
      .filter(({ isPaused }) => isPaused)
      .map(({ name }) => (
        <Text key={name} role="alert" c="red">
          {name}: {words.paused}
        </Text>
      ))}
  </>
);
