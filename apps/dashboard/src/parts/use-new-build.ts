import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLiveState } from '../live/live-provider';
import { BuildWatch } from './other-build';

/** Milliseconds between two looks; whenever the gateway comes back is another. */
const askMs = 60_000;

/** The program of a page: its name holds a digest of its content, and so of everything that it loads. */
const ownProgram = (): string | undefined =>
  document.querySelector('script[type="module"][src]')?.getAttribute('src')?.split('/').at(-1);

/** Whether the service has been upgraded, and its program is available; the browser keeps it for when it is asked for. */
const isUpgraded = async (watch: BuildWatch, signal: AbortSignal): Promise<boolean> => {
  const atMs = Date.now();
  const answer = await fetch(document.baseURI, { signal, cache: 'no-store' });
  const program = watch.programAt(answer.ok ? await answer.text() : '', atMs);
  if (program === undefined) return false;
  const fetched = await fetch(new URL(program, document.baseURI), { signal });
  await fetched.arrayBuffer();
  return fetched.ok;
};

/** Loads the page again once the service has been upgraded: for a page that nobody sits at, and nobody types on. */
export const useNewBuild = (): void => {
  const { kind } = useLiveState();
  const [watch] = useState(() => new BuildWatch(ownProgram(), sessionStorage));
  const { data } = useQuery({
    queryKey: ['build', kind],
    queryFn: ({ signal }) => isUpgraded(watch, signal),
    refetchInterval: askMs,
    refetchIntervalInBackground: true,
    staleTime: 0,
  });
  useEffect(() => {
    if (data !== true) return;
    watch.mark(Date.now());
    window.location.reload();
  }, [data, watch]);
};
