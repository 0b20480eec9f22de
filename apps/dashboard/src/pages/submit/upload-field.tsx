import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, type ReactElement } from 'react';
import { fetchMe } from '../../api/calls';

const Uploads = lazy(async () => ({ default: (await import('../../upload/uploads')).Uploads }));

/** Files of one's own computer, where the site and one's rights allow to upload them. */
export const UploadField = (given: {
  /** By which what is being submitted is kept. */
  readonly place: string;
  readonly proposal: string;
  /** Told of the paths of what has arrived. */
  readonly onComplete: (paths: readonly string[]) => void;
}): ReactElement | null => {
  const me = useQuery({ queryKey: ['me'], queryFn: ({ signal }) => fetchMe(signal), staleTime: Infinity });
  const rules = me.data?.uploads;
  if (rules === undefined) return null;
  return (
    <Suspense fallback={<Skeleton height={58} />}>
      <Uploads {...given} rules={rules} />
    </Suspense>
  );
};
