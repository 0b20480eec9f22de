import { IconTool } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { shownWindows, type MaintenanceWindow } from '@fleet/contracts/maintenance';
import { maintenanceSentence } from '@fleet/session-report';
import { api } from '../api/calls';
import { useNow } from '../parts/time';
import { Announcement } from '../parts/announcement';

/** Polling interval of announcements, in milliseconds. */
const askMs = 30_000;

/** The announced maintenance windows, the next first. */
export const useMaintenance = (): readonly MaintenanceWindow[] => {
  const now = useNow(5_000);
  const { data } = useQuery({
    queryKey: ['maintenance'],
    queryFn: ({ signal }) => api.json('GET /v1/maintenance', {}, { signal }),
    refetchInterval: askMs,
    refetchIntervalInBackground: true,
  });
  return shownWindows(data?.windows ?? [], now);
};

/** Announcements, in the facility's time zone; empty without any. */
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
