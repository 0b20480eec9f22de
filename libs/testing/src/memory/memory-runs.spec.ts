import { launchControlContract, runSlotsContract, sharesControlContract } from '@fleet/testing';
import { MemoryLaunchControl } from './memory-launch-control';
import { MemoryRunSlots } from './memory-run-slots';
import { MemorySharesControl } from './memory-shares-control';

const close = (): Promise<void> => Promise.resolve();

runSlotsContract('MemoryRunSlots', (clock) => Promise.resolve({ made: new MemoryRunSlots(clock), close }));
launchControlContract('MemoryLaunchControl', (clock) =>
  Promise.resolve({ made: new MemoryLaunchControl(clock), close }),
);
sharesControlContract('MemorySharesControl', (clock) =>
  Promise.resolve({ made: new MemorySharesControl(clock), close }),
);
