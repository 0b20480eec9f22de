import type { Provider } from '@nestjs/common';
import { ChangeLaunches, CurrentShares, ExpectedWaits, MaintenanceWindows, type LaunchPorts } from '@fleet/launches';
import { CLOCK, LAUNCH_CONTROL, RUN_SLOTS, SHARES_CONTROL } from '@fleet/ports';
import { GATEWAY_OPTIONS, type GatewayOptions } from '../../http/gateway-options';
import { commandsOf, portsOf } from '../commands-of';

const ports = portsOf<LaunchPorts>({
  control: LAUNCH_CONTROL,
  sharesControl: SHARES_CONTROL,
  slots: RUN_SLOTS,
  clock: CLOCK,
  configuredShares: { from: GATEWAY_OPTIONS, pick: ({ shares }: GatewayOptions) => shares },
  timeZone: { from: GATEWAY_OPTIONS, pick: ({ timeZone }: GatewayOptions) => timeZone },
});

/** The commands for launches, shares and maintenance. */
export const launchCommands: readonly Provider[] = commandsOf(ports, [
  ChangeLaunches,
  CurrentShares,
  ExpectedWaits,
  MaintenanceWindows,
]);
