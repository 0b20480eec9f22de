import { jobOrders, jobPlaces, Queues, type JobOrder, type JobPlace, type QueueName } from '@fleet/contracts/queues';

/** URL parameters: the job filter, and the selected job. */
export interface QueuesSearch {
  readonly queue?: QueueName;
  readonly place?: JobPlace;
  readonly order?: JobOrder;
  /** Number of skipped jobs. */
  readonly offset?: string;
  readonly job?: string;
}

/** Reads the URL parameters. */
export const readQueuesSearch = (raw: Readonly<Record<string, unknown>>): QueuesSearch => {
  const queue = Object.values(Queues).find((known) => known === raw.queue);
  const list = jobPlaces.find((known) => known === raw.place);
  const order = jobOrders.find((known) => known === raw.order);
  const { offset, job } = raw;
  return {
    ...(queue !== undefined && { queue }),
    ...(list !== undefined && { place: list }),
    ...(order !== undefined && { order }),
    ...(typeof offset === 'string' && /^[1-9]\d{0,5}$/.test(offset) && { offset }),
    ...(typeof job === 'string' && job !== '' && { job }),
  };
};
