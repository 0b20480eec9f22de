import { modelInquiriesContract } from '@fleet/testing';
import { MemoryModelInquiries } from './memory-model-inquiries';

modelInquiriesContract('MemoryModelInquiries', () => {
  let now = 1_000;
  const later = (ms: number) => (): Promise<void> => {
    now += ms;
    return Promise.resolve();
  };
  const inquiries = new MemoryModelInquiries(() => now);
  const silence = async (id: string): Promise<void> => {
    for (let second = 0; second < 60; second += 1) {
      await later(1_000)();
      await inquiries.answerTo(id);
    }
  };
  return Promise.resolve({ inquiries, leave: later(5_000), silence });
});
