import { siteLooksContract } from '@fleet/testing';
import { MemorySiteLooks } from './memory-site-looks';

siteLooksContract('MemorySiteLooks', () => {
  let now = 1_000;
  const pass = (ms: number): Promise<void> => {
    now += ms;
    return Promise.resolve();
  };
  return Promise.resolve({ looks: new MemorySiteLooks(() => now), pass });
});
