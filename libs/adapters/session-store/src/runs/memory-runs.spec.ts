import { launchControlContract, orphanRegisterContract, runSlotsContract } from '@fleet/testing';
import { MemoryLaunchControl } from './memory-launch-control';
import { MemoryOrphanRegister } from './memory-orphan-register';
import { MemoryRunSlots } from './memory-run-slots';

const close = (): Promise<void> => Promise.resolve();

runSlotsContract('MemoryRunSlots', (clock) => Promise.resolve({ made: new MemoryRunSlots(clock), close }));
launchControlContract('MemoryLaunchControl', (clock) =>
  Promise.resolve({ made: new MemoryLaunchControl(clock), close }),
);
orphanRegisterContract('MemoryOrphanRegister', (clock) =>
  Promise.resolve({ made: new MemoryOrphanRegister(clock), close }),
);
