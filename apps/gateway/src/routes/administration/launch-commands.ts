import type { Provider } from '@nestjs/common';
import { ChangeLaunches, CurrentShares, ExpectedWaits, MaintenanceWindows, type LaunchPorts } from '@fleet/launches';
import { CLOCK, LAUNCH_CONTROL, RUN_SLOTS, SHARES_CONTROL } from '@fleet/ports';
import { providedObject } from '@fleet/wiring';
import { GATEWAY_OPTIONS, type GatewayOptions } from '../../http/gateway-options';
import { commandsOf } from '../commands-of';

const CONFIGURED_SHARES = Symbol('ConfiguredShares');
const TIME_ZONE = Symbol('TimeZone');

const ports = providedObject<LaunchPorts>({
  control: LAUNCH_CONTROL,
  sharesControl: SHARES_CONTROL,
  slots: RUN_SLOTS,
  clock: CLOCK,
  configuredShares: CONFIGURED_SHARES,
  timeZone: TIME_ZONE,
});

/** The commands for launches, shares and maintenance. */
export const launchCommands: readonly Provider[] = [
  { provide: CONFIGURED_SHARES, inject: [GATEWAY_OPTIONS], useFactory: ({ shares }: GatewayOptions) => shares },
  { provide: TIME_ZONE, inject: [GATEWAY_OPTIONS], useFactory: ({ timeZone }: GatewayOptions) => timeZone },
  ...commandsOf(ports, [ChangeLaunches, CurrentShares, ExpectedWaits, MaintenanceWindows]),
];
