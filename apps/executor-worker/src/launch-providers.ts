import { SharesConfig, sharesOf } from '@fleet/config';
import {
  CLOCK,
  LAUNCH_CONTROL,
  RUN_SLOTS,
  SESSION_INDEX,
  SESSION_RECORDS,
  SHARES_CONTROL,
  type Clock,
  type SharesControl,
} from '@fleet/ports';
import { provided, providedWith } from '@fleet/wiring';
import { Logger, type Provider } from '@nestjs/common';
import { CurrentPolicy } from './execute/current-policy';
import { GrantedRuns } from './execute/granted-runs';
import { LaunchGate } from './execute/launch-gate';
import { LaunchQueue } from './execute/launch-queue';
import { EXECUTION_SITE, type ExecutionSite } from './execution-site';
import { RunCount } from './execute/run-count';
import { SlotPruner } from './execute/slot-pruner';

const logger = new Logger('Executor');

/** Providers that decide which run starts next, and count the running ones. */
export const launchProviders: Provider[] = [
  GrantedRuns,
  {
    provide: CurrentPolicy,
    inject: [SHARES_CONTROL, EXECUTION_SITE, SharesConfig, CLOCK],
    useFactory: (shares: SharesControl, { launches }: ExecutionSite, config: SharesConfig, clock: Clock) =>
      new CurrentPolicy(shares, launches, sharesOf(config), clock),
  },
  provided(LaunchQueue, RUN_SLOTS, CurrentPolicy),
  provided(SlotPruner, RUN_SLOTS, SESSION_RECORDS),
  providedWith(
    RunCount,
    { slots: RUN_SLOTS, index: SESSION_INDEX, records: SESSION_RECORDS, policy: CurrentPolicy },
    {
      onError: (what: string, error: unknown) => logger.error({ message: what, reason: String(error) }),
    },
  ),
  providedWith(LaunchGate, {
    slots: RUN_SLOTS,
    control: LAUNCH_CONTROL,
    queue: LaunchQueue,
    policy: CurrentPolicy,
    count: RunCount,
    pruner: SlotPruner,
    granted: GrantedRuns,
    clock: CLOCK,
  }),
];
