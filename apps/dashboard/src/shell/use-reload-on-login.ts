import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { MeView } from '@fleet/contracts/access';
import type { ApiError } from '@fleet/api-client';
import { forgetKey } from '../api/session-key';

/**
 * Deletes an invalid key, because it would take precedence over another login. After the login, everything that was
 * refused meanwhile is fetched; another user begins with an empty page.
 */
export const useReloadOnLogin = (refusal: ApiError | undefined, me: MeView | undefined): void => {
  const queries = useQueryClient();
  const before = useRef<{ readonly id: string | undefined }>(undefined);
  useEffect(() => {
    if (refusal !== undefined) {
      before.current ??= { id: me?.id };
      if (refusal.code === 'access.bad_credentials') forgetKey();
      return;
    }
    const known = before.current;
    if (known === undefined || me === undefined) return;
    before.current = undefined;
    if (known.id !== undefined && known.id !== '' && known.id !== me.id) window.location.reload();
    else void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' });
  }, [refusal, me, queries]);
};
