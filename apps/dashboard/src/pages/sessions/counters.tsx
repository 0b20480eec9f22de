import { Box, Group, Paper, ScrollArea, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import type { SessionCounts } from '@fleet/contracts/sessions';
import { api } from '../../api/calls';
import { Ago } from '../../parts/time';
import { LaunchBanner } from '../../parts/launch-banner';
import { SessionState } from '../../state/session-state';
import type { StateKind } from '../../format/state-of';
import { listTexts } from '../../texts/sessions';
import { changedSearch, groupOf, type ListSearch } from './list-search';
import css from './sessions.module.css';

interface Counter {
  readonly kind: StateKind;
  readonly count: number;
  /** The filter that lists them; absent: there is none. */
  readonly filter?: Pick<ListSearch, 'status' | 'outcome'>;
  /** Shown even if zero. */
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
    <Text component="b" fz={17}>
      {counter.count}
    </Text>
    {more}
  </>
);

/** Pixels of the row, with its scrollbar below it. */
const height = 46;

/** Numbers of running, waiting and ended sessions in the list; a click filters by them. One row at any width: what follows never moves under the pointer. */
export const Counters = ({ search }: { readonly search: ListSearch }): ReactElement => {
  const group = groupOf(search);
  const { data } = useQuery({
    queryKey: ['counts', group],
    queryFn: ({ signal }) => api.json('GET /v1/counts', { query: group }, { signal }),
    refetchInterval: 15_000,
  });
  if (data === undefined) return <Box h={height} />;
  const { oldestWaitingSince, launches } = data;
  return (
    <>
      <LaunchBanner launches={launches} />
      <ScrollArea h={height} scrollbars="x" type="auto" scrollbarSize={6}>
        <Group component="ul" gap={6} wrap="nowrap" aria-label={listTexts.counters} data-testid="counters">
          {countersOf(data)
            .filter(({ count, always }) => always === true || count > 0)
            .map((counter) => (
              <Paper
                key={counter.kind}
                component="li"
                p="4px 9px 4px 4px"
                className={css.counter}
                data-counter={counter.kind}
              >
                {counter.filter === undefined ? (
                  <Counted
                    counter={counter}
                    more={
                      oldestWaitingSince !== undefined && (
                        <span className="quiet small">
                          {listTexts.oldest} <Ago at={oldestWaitingSince} />
                        </span>
                      )
                    }
                  />
                ) : (
                  <Link to="/sessions" search={changedSearch({ ...group, ...sortOf(search) }, counter.filter)}>
                    <Counted counter={counter} />
                  </Link>
                )}
              </Paper>
            ))}
        </Group>
      </ScrollArea>
    </>
  );
};

const sortOf = ({ sort }: ListSearch): Pick<ListSearch, 'sort'> => (sort === undefined ? {} : { sort });
