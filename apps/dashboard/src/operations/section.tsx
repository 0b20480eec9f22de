import { Skeleton } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useId, type ReactElement, type ReactNode } from 'react';
import { Failure } from '../shell/failure';

/** A part of the page, which is there whatever happens to the others. */
export const Section = <T,>({
  title,
  name,
  query,
  children,
}: {
  readonly title: string;
  readonly name: string;
  readonly query: UseQueryResult<T>;
  readonly children: (data: T) => ReactNode;
}): ReactElement => {
  const heading = useId();
  return (
    <section className="panel operations-part" aria-labelledby={heading} data-testid={name}>
      <h2 id={heading}>{title}</h2>
      {query.data === undefined && query.error === null && <Skeleton height={80} />}
      {query.error !== null && <Failure error={query.error} onAgain={() => void query.refetch()} />}
      {query.data !== undefined && children(query.data)}
    </section>
  );
};
