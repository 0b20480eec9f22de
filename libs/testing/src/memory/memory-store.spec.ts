import { sessionStoreContract } from '@fleet/testing';
import { MemoryStore } from './memory-store';

sessionStoreContract('MemoryStore', (clock) =>
  Promise.resolve({ store: new MemoryStore(clock), close: () => Promise.resolve() }),
);
