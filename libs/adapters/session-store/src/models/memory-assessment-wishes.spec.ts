import { anId, assessmentWishesContract } from '@fleet/testing';
import { MemoryAssessmentWishes } from './memory-assessment-wishes';

assessmentWishesContract('MemoryAssessmentWishes', () => {
  let now = 1_000;
  const pass = (_session: string, ms: number): Promise<void> => {
    now += ms;
    return Promise.resolve();
  };
  return Promise.resolve({
    wishes: new MemoryAssessmentWishes(() => now),
    aSession: () => Promise.resolve(anId()),
    pass,
  });
});
