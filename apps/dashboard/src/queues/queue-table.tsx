import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { jobPlaces, type JobPlace, type QueueName, type QueueView } from '@fleet/contracts';
import { Ago } from '../format/time';
import { Listing } from '../shell/listing';
import { queueTexts as words } from '../texts-queues';

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
    <td data-label={words.places[place]}>
      <Link
        to="/operations/queues"
        search={{ queue: of.name, place, ...(place === 'failed' && { order: 'newest' as const }) }}
        resetScroll={false}
        className={`queue-count${isBad ? ' mark-failed' : ''}`}
        aria-label={`${words.list(words.places[place], of.name)}: ${String(of.jobs[place])}`}
        aria-current={isChosen ? 'true' : 'false'}
      >
        {of.jobs[place]}
      </Link>
    </td>
  );
};

/** How many jobs lie where; each number leads to them. */
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
      className="queues stacked"
    >
      {queues.map((queue) => (
        <tr key={queue.name} data-queue={queue.name}>
          <th scope="row">
            {queue.name}
            <span className="quiet small">{words.queues[queue.name]}</span>
          </th>
          {jobPlaces.map((place) => (
            <Count key={place} of={queue} place={place} chosen={chosen} />
          ))}
          <td data-label={words.oldest}>
            {queue.oldestWaitingAt === undefined ? (
              <span className="quiet">{words.nobodyWaits}</span>
            ) : (
              <Ago at={queue.oldestWaitingAt} />
            )}
          </td>
        </tr>
      ))}
    </Listing>
    {queues
      .filter(({ isPaused }) => isPaused)
      .map(({ name }) => (
        <p key={name} role="alert" className="mark-failed">
          {name}: {words.paused}
        </p>
      ))}
  </>
);
