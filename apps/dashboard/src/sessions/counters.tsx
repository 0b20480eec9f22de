import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import type { SessionCounts } from '@fleet/contracts';
import { fetchCounts } from '../api/calls';
import { Ago } from '../format/time';
import { LaunchBanner } from '../shell/launch-banner';
import { SessionState } from '../state/session-state';
import type { StateKind } from '../state/state-of';
import { texts } from '../texts';
import { changedSearch, groupOf, type ListSearch } from './list-search';

interface Counter {
  readonly kind: StateKind;
  readonly count: number;
  /** What the list has to filter to show them; absent: it cannot. */
  readonly filter?: Pick<ListSearch, 'status' | 'outcome'>;
  /** Shown also where there are none. */
  readonly always?: true;
}

const countersOf = ({ sessions, outcomes, waiting }: SessionCounts): readonly Counter[] => [
  { kind: 'running', count: sessions.running, filter: { status: 'running' }, always: true },
  { kind: 'waiting', count: waiting, always: true },
  ...(['solved', 'unsatisfactory', 'failed_science'] as const).map(
    (outcome) => ({ kind: outcome, count: outcomes[outcome], filter: { outcome }, always: true }) as const,
  ),
  ...(['goal_reached', 'unfinished', 'failed_infrastructure', 'rejected', 'unknown', 'cancelled'] as const).map(
    (outcome) => ({
      kind: outcome,
      count: outcomes[outcome],
      filter: { outcome },
    }),
  ),
];

const Counted = ({ counter, more }: { readonly counter: Counter; readonly more?: ReactNode }): ReactElement => (
  <>
    <SessionState kind={counter.kind} />
    <b className="counter-number">{counter.count}</b>
    {more}
  </>
);

/** How many run, wait and have ended, of what the list is about; a click shows them. */
export const Counters = ({ search }: { readonly search: ListSearch }): ReactElement => {
  const group = groupOf(search);
  const { data } = useQuery({
    queryKey: ['counts', group],
    queryFn: ({ signal }) => fetchCounts(group, signal),
    refetchInterval: 15_000,
  });
  if (data === undefined) return <div className="counters" />;
  const { oldestWaitingSince, launches } = data;
  return (
    <>
      <LaunchBanner launches={launches} />
      <ul className="counters" aria-label={texts.list.counters} data-testid="counters">
        {countersOf(data)
          .filter(({ count, always }) => always === true || count > 0)
          .map((counter) => (
            <li key={counter.kind} className="counter" data-counter={counter.kind}>
              {counter.filter === undefined ? (
                <Counted
                  counter={counter}
                  more={
                    oldestWaitingSince !== undefined && (
                      <span className="quiet small">
                        {texts.list.oldest} <Ago at={oldestWaitingSince} />
                      </span>
                    )
                  }
                />
              ) : (
                <Link to="/sessions" search={changedSearch({ ...group, ...sortOf(search) }, counter.filter)}>
                  <Counted counter={counter} />
                </Link>
              )}
            </li>
          ))}
      </ul>
    </>
  );
};

const sortOf = ({ sort }: ListSearch): Pick<ListSearch, 'sort'> => (sort === undefined ? {} : { sort });
