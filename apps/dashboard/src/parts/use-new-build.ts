import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLiveState } from '../live/live-provider';
import { BuildWatch } from './other-build';

/** Milliseconds between two checks; each reconnection is another one. */
const askMs = 60_000;

/** The page's program: its name contains a digest of its content, and so of everything that it loads. */
const ownProgram = (): string | undefined =>
  document.querySelector('script[type="module"][src]')?.getAttribute('src')?.split('/').at(-1);

/** Whether the service was upgraded and its program is available; the browser caches it. */
const isUpgraded = async (watch: BuildWatch, signal: AbortSignal): Promise<boolean> => {
  const atMs = Date.now();
  const answer = await fetch(document.baseURI, { signal, cache: 'no-store' });
  const program = watch.programAt(answer.ok ? await answer.text() : '', atMs);
  if (program === undefined) return false;
  const fetched = await fetch(new URL(program, document.baseURI), { signal });
  await fetched.arrayBuffer();
  return fetched.ok;
};

/** Reloads the page once the service was upgraded: for an unattended page without typed input. */
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
