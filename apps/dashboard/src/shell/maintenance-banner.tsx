import { IconTool } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { shownWindows, type MaintenanceWindow } from '@fleet/contracts/maintenance';
import { maintenanceSentence } from '@fleet/session-report';
import { fetchMaintenance } from '../api/calls';
import { useNow } from '../parts/time';
import { Announcement } from '../parts/announcement';

/** Milliseconds after which is asked again what is announced. */
const askMs = 30_000;

/** Maintenance windows that are announced now, the next first. */
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
        <Announcement key={window.id} icon={IconTool} testId="maintenance-banner">
          <b>{maintenanceSentence(window, now)}</b>
        </Announcement>
      ))}
    </>
  );
};
