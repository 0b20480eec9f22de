import { modelBreakerContract } from '@fleet/testing';
import { MemoryModelBreaker } from './memory-model-breaker';

modelBreakerContract('MemoryModelBreaker', () => {
  let now = 0;
  const one = new MemoryModelBreaker(() => now);
  const firstIn = (target: string): number => {
    const untils = Reflect.get(one, 'targets') as ReadonlyMap<string, { readonly restsUntil: number }>;
    return (untils.get(target)?.restsUntil ?? 0) - now;
  };
  const wait = (): Promise<void> => {
    now += 300_000;
    return Promise.resolve();
  };
  return Promise.resolve({ one, other: one, restOf: (target) => Promise.resolve(firstIn(target)), wait });
});
