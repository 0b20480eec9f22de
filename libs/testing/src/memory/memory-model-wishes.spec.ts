import { anId, modelWishesContract } from '@fleet/testing';
import { MemoryModelWishes } from './memory-model-wishes';

modelWishesContract('MemoryModelWishes', () => {
  let now = 1_000;
  const pass = (_session: string, ms: number): Promise<void> => {
    now += ms;
    return Promise.resolve();
  };
  return Promise.resolve({
    wishes: new MemoryModelWishes(() => now),
    aSession: () => Promise.resolve(anId()),
    pass,
  });
});
