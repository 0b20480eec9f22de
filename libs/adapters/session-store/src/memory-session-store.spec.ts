import { sessionStoreContract } from '@fleet/testing';
import { MemorySessionStore } from './memory-session-store';

sessionStoreContract('MemorySessionStore', (clock) =>
  Promise.resolve({ store: new MemorySessionStore(clock), close: () => Promise.resolve() }),
);
