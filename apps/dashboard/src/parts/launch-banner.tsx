import { IconPlayerPause } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import type { LaunchState } from '@fleet/contracts/launches';
import { plainLine } from '@fleet/session-report';
import { Ago } from './time';
import { operationsTexts } from '../texts/operations';
import { Announcement } from './announcement';

const words = operationsTexts.launches;

/** Whether an administrator holds launches; a maintenance window has its own banner. */
export const isHeld = (launches: LaunchState | undefined): launches is LaunchState & { mode: 'paused' | 'draining' } =>
  launches !== undefined && launches.mode !== 'open' && launches.maintenance === undefined;

/** An administrator's message to waiting users; empty while programs are launched. */
export const LaunchBanner = ({ launches }: { readonly launches: LaunchState | undefined }): ReactElement => {
  if (!isHeld(launches)) return <></>;
  const { mode, reason, since } = launches;
  return (
    <Announcement icon={IconPlayerPause} testId="launch-banner">
      <b>
        {words.banner[mode]}
        {reason !== '' && `: ${plainLine(reason)}`}
      </b>{' '}
      <span data-more>
        {words.bannerRest} {since !== '' && <Ago at={since} />}
      </span>
    </Announcement>
  );
};
