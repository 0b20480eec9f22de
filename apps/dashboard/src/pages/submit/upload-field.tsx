import { Skeleton } from '@mantine/core';
import { lazy, Suspense, type ReactElement } from 'react';
import { useMe } from '../../parts/use-me';

const Uploads = lazy(async () => ({ default: (await import('../../upload/uploads')).Uploads }));

/** Upload of local files, if the site and the user's permissions allow it. */
export const UploadField = (given: {
  /** Key of the submission's draft. */
  readonly place: string;
  readonly proposal: string;
  /** Called with the paths of completed uploads. */
  readonly onComplete: (paths: readonly string[]) => void;
}): ReactElement | null => {
  const me = useMe();
  const rules = me.data?.uploads;
  if (rules === undefined) return null;
  return (
    <Suspense fallback={<Skeleton height={58} />}>
      <Uploads {...given} rules={rules} />
    </Suspense>
  );
};
