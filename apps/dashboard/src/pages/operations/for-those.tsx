import { Alert } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import type { ReactElement, ReactNode } from 'react';
import type { MeView } from '@fleet/contracts/access';
import { useMe } from '../../parts/use-me';

/** A page for some roles only; other users see a refusal, and nothing is requested. */
export const ForThose = ({
  may,
  refused: { title, why },
  children,
}: {
  readonly may: (me: MeView) => boolean;
  readonly refused: { readonly title: string; readonly why: (who: string, role: string) => string };
  readonly children: (me: MeView) => ReactNode;
}): ReactElement => {
  const { data: me } = useMe();
  if (me === undefined) return <></>;
  if (may(me)) return <>{children(me)}</>;
  return (
    <Alert color="gray" icon={<IconLock />} title={title} role="alert">
      {why(me.id, me.role)}
    </Alert>
  );
};
