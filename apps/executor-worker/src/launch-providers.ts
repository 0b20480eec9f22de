import { SharesConfig, sharesOf } from '@fleet/config';
import {
  CLOCK,
  LAUNCH_CONTROL,
  RUN_SLOTS,
  SESSION_INDEX,
  SESSION_RECORDS,
  SHARES_CONTROL,
  type Clock,
  type LaunchControl,
  type RunSlots,
  type SessionIndex,
  type SessionRecords,
  type SharesControl,
} from '@fleet/ports';
import { Logger, type Provider } from '@nestjs/common';
import { CurrentPolicy } from './execute/current-policy';
import { GrantedRuns } from './execute/granted-runs';
import { LaunchGate } from './execute/launch-gate';
import { LaunchLine } from './execute/launch-line';
import { EXECUTION_SITE, type ExecutionSite } from './execution-site';
import { RunCount } from './upkeep/run-count';
import { SlotPruner } from './upkeep/slot-pruner';

const logger = new Logger('Executor');

type GateInjected = readonly [
  RunSlots,
  LaunchControl,
  LaunchLine,
  CurrentPolicy,
  RunCount,
  SlotPruner,
  GrantedRuns,
  Clock,
];

/** What decides which run starts next, and keeps count of those that run. */
export const launchProviders: Provider[] = [
  GrantedRuns,
  {
    provide: CurrentPolicy,
    inject: [SHARES_CONTROL, EXECUTION_SITE, SharesConfig, CLOCK],
    useFactory: (shares: SharesControl, { launches }: ExecutionSite, config: SharesConfig, clock: Clock) =>
      new CurrentPolicy(shares, launches, sharesOf(config), clock),
  },
  {
    provide: LaunchLine,
    inject: [RUN_SLOTS, CurrentPolicy],
    useFactory: (slots: RunSlots, policy: CurrentPolicy) => new LaunchLine(slots, policy),
  },
  {
    provide: SlotPruner,
    inject: [RUN_SLOTS, SESSION_RECORDS],
    useFactory: (slots: RunSlots, records: SessionRecords) => new SlotPruner(slots, records),
  },
  {
    provide: RunCount,
    inject: [RUN_SLOTS, SESSION_INDEX, SESSION_RECORDS, CurrentPolicy],
    useFactory: (slots: RunSlots, index: SessionIndex, records: SessionRecords, policy: CurrentPolicy) =>
      new RunCount({
        slots,
        index,
        records,
        policy,
        onError: (what, error) => {
          logger.error({ message: what, reason: String(error) });
        },
      }),
  },
  {
    provide: LaunchGate,
    inject: [RUN_SLOTS, LAUNCH_CONTROL, LaunchLine, CurrentPolicy, RunCount, SlotPruner, GrantedRuns, CLOCK],
    useFactory: (...[slots, control, line, policy, count, pruner, granted, clock]: GateInjected) =>
      new LaunchGate({ slots, control, line, policy, count, pruner, granted, clock }),
  },
];
