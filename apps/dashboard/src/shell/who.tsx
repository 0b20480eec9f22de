import { ActionIcon, Text, Tooltip } from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { MeView } from '@fleet/contracts/access';
import { api, isFailure } from '../api/calls';
import { forgetKey, storedKey } from '../api/session-key';
import { shellTexts } from '../texts/shell';
import css from './shell.module.css';

/**
 * Removes the key from this tab, or ends the browser login; if its provider has a logout page, the browser goes there
 * and comes back.
 */
const leave = async (): Promise<void> => {
  if (storedKey() !== undefined) {
    forgetKey();
    window.location.reload();
    return;
  }
  try {
    window.location.assign((await api.json('POST /v1/logout')).provider ?? document.baseURI);
  } catch (error) {
    // It has ended already.
    if (!isFailure(error, 401)) throw error;
    window.location.reload();
  }
};

/** The user as seen by the gateway, and the logout. */
export const Who = ({ me }: { readonly me: MeView }): ReactElement => {
  const leaving = useMutation({ mutationFn: leave });
  if (me.id === '')
    return (
      <Text component="span" data-testid="who" c="dimmed" className={css.open}>
        {shellTexts.open}
      </Text>
    );
  return (
    <>
      <span data-testid="who">
        {me.id} <span className="quiet">{me.role}</span>
      </span>
      {leaving.error !== null && (
        <Text component="span" c="red" role="alert">
          {leaving.error.message}
        </Text>
      )}
      <Tooltip label={shellTexts.logout}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={shellTexts.logout}
          loading={leaving.isPending}
          onClick={() => leaving.mutate()}
        >
          <IconLogout size={18} />
        </ActionIcon>
      </Tooltip>
    </>
  );
};
