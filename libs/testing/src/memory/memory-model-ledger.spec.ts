import { modelLedgerContract } from '@fleet/testing';
import { MemoryLedgerState, MemoryModelLedger } from './memory-model-ledger';

modelLedgerContract('MemoryModelLedger', () => {
  const state = new MemoryLedgerState();
  const one = new MemoryModelLedger(state);
  const silence = (): Promise<void> => {
    one.fallSilent();
    return Promise.resolve();
  };
  return Promise.resolve({ one, other: new MemoryModelLedger(state), silence });
});
