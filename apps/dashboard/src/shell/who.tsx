import { ActionIcon, Tooltip } from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { MeView } from '@fleet/contracts';
import { isFailure, logOut } from '../api/calls';
import { forgetKey, keptKey } from '../api/session-key';
import { texts } from '../texts';

/** Ends the key's stay in this tab, or the login of the browser; where its provider has a logout it goes there, and comes back. */
const leave = async (): Promise<void> => {
  if (keptKey() !== undefined) {
    forgetKey();
    window.location.reload();
    return;
  }
  try {
    window.location.assign((await logOut()).provider ?? document.baseURI);
  } catch (error) {
    // It has ended already.
    if (!isFailure(error, 401)) throw error;
    window.location.reload();
  }
};

/** Who one is to the gateway, and the way out. */
export const Who = ({ me }: { readonly me: MeView }): ReactElement => {
  const leaving = useMutation({ mutationFn: leave });
  if (me.id === '') return <span className="who who-open quiet">{texts.shell.open}</span>;
  return (
    <>
      <span className="who">
        {me.id} <span className="quiet">{me.role}</span>
      </span>
      {leaving.error !== null && (
        <span className="mark-failed" role="alert">
          {leaving.error.message}
        </span>
      )}
      <Tooltip label={texts.shell.logout}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={texts.shell.logout}
          loading={leaving.isPending}
          onClick={() => {
            leaving.mutate();
          }}
        >
          <IconLogout size={18} />
        </ActionIcon>
      </Tooltip>
    </>
  );
};
