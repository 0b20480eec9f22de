import { launchControlContract, orphanRegisterContract, runSlotsContract, sharesControlContract } from '@fleet/testing';
import { MemoryLaunchControl } from './memory-launch-control';
import { MemoryOrphanRegister } from './memory-orphan-register';
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
orphanRegisterContract('MemoryOrphanRegister', (clock) =>
  Promise.resolve({ made: new MemoryOrphanRegister(clock), close }),
);
