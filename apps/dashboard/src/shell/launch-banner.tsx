import { IconPlayerPause } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import type { LaunchState } from '@fleet/contracts';
import { plainLine } from '@fleet/session-report';
import { Ago } from '../format/time';
import { operationsTexts } from '../texts-operations';

const words = operationsTexts.launches;

/** Whether an administrator holds launches; a maintenance window is told of in its own words. */
export const isHeld = (launches: LaunchState | undefined): launches is LaunchState & { mode: 'paused' | 'draining' } =>
  launches !== undefined && launches.mode !== 'open' && launches.maintenance === undefined;

/** What an administrator says to everybody who waits; nothing while programs are launched. */
export const LaunchBanner = ({ launches }: { readonly launches: LaunchState | undefined }): ReactElement => {
  if (!isHeld(launches)) return <></>;
  const { mode, reason, since } = launches;
  return (
    <p className="launch-banner" role="status" data-testid="launch-banner">
      <IconPlayerPause size={18} aria-hidden="true" />
      <span>
        <b>
          {words.banner[mode]}
          {reason !== '' && `: ${plainLine(reason)}`}
        </b>{' '}
        <span className="banner-rest">
          {words.bannerRest} {since !== '' && <Ago at={since} />}
        </span>
      </span>
    </p>
  );
};
