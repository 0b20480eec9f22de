import { IconTool } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { shownWindows, type MaintenanceWindow } from '@fleet/contracts';
import { maintenanceSentence } from '@fleet/session-report';
import { fetchMaintenance } from '../api/calls';
import { useNow } from '../format/time';

/** Milliseconds after which is asked again what is announced. */
const askMs = 30_000;

/** Maintenance windows that people are told of now, the next first. */
export const useMaintenance = (): readonly MaintenanceWindow[] => {
  const now = useNow(5_000);
  const { data } = useQuery({
    queryKey: ['maintenance'],
    queryFn: ({ signal }) => fetchMaintenance(signal),
    refetchInterval: askMs,
    refetchIntervalInBackground: true,
  });
  return shownWindows(data?.windows ?? [], now);
};

/** What is announced to everybody, in the time zone of the facility; nothing where there is nothing to tell. */
export const MaintenanceBanner = ({ windows }: { readonly windows: readonly MaintenanceWindow[] }): ReactElement => {
  const now = useNow(5_000);
  return (
    <>
      {windows.map((window) => (
        <p key={window.id} className="launch-banner" role="status" data-testid="maintenance-banner">
          <IconTool size={18} aria-hidden="true" />
          <b>{maintenanceSentence(window, now)}</b>
        </p>
      ))}
    </>
  );
};
