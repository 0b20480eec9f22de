import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLiveState } from '../live/live-provider';
import { isOtherBuild } from './other-build';

/** Milliseconds between two looks; whenever the gateway comes back is another. */
const askMs = 60_000;

/** The program of a page: its name holds a digest of its content, and so of everything that it loads. */
const ownProgram = (): string | undefined =>
  document.querySelector('script[type="module"][src]')?.getAttribute('src')?.split('/').at(-1);

const servesAnother = async (signal: AbortSignal): Promise<boolean> => {
  const answer = await fetch(document.baseURI, { signal, cache: 'no-store' });
  return answer.ok && isOtherBuild(await answer.text(), ownProgram());
};

/** Loads the page again once the service was upgraded: for a page that nobody sits at, and nobody types on. */
export const useNewBuild = (): void => {
  const { kind } = useLiveState();
  const { data } = useQuery({
    queryKey: ['build', kind],
    queryFn: ({ signal }) => servesAnother(signal),
    refetchInterval: askMs,
    refetchIntervalInBackground: true,
    staleTime: 0,
  });
  useEffect(() => {
    if (data === true) window.location.reload();
  }, [data]);
};
