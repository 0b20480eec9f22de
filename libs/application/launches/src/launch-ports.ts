import type { SharesPolicy } from '@fleet/contracts/launches';
import type { Clock, LaunchControl, RunSlots, SharesControl } from '@fleet/ports';

/** Dependencies of the commands of launches, shares and maintenance. */
export interface LaunchPorts {
  readonly control: LaunchControl;
  readonly sharesControl: SharesControl;
  readonly slots: Pick<RunSlots, 'line'>;
  readonly clock: Clock;
  /** How slots are shared until an administrator changes it. */
  readonly configuredShares: SharesPolicy;
  /** Time zone in which the facility reads times. */
  readonly timeZone: string;
}
