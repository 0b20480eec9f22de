import type { SharesPolicy } from '@fleet/contracts/launches';
import type { Clock, LaunchControl, RunSlots, SharesControl } from '@fleet/ports';

/** What the commands of launches, shares and maintenance work with. */
export interface LaunchPorts {
  readonly control: LaunchControl;
  readonly sharesControl: SharesControl;
  readonly slots: Pick<RunSlots, 'line'>;
  readonly clock: Clock;
  /** How slots are shared until an administrator says otherwise. */
  readonly configuredShares: SharesPolicy;
  /** Name of the time zone in which the facility reads times. */
  readonly timeZone: string;
}
