import type { Provider } from '@nestjs/common';
import { ASSESSMENTS, LOG_SUMMARIES, MODEL_LEDGER, MODEL_REPLIES, MODEL_WISHES, type ModelReplies } from '@fleet/ports';
import { MemoryModelWishes, MemoryModelLedger } from '@fleet/testing';
import type { HarnessOptions } from './harness-options';

const noReplies: ModelReplies = { find: () => Promise.resolve(undefined), keep: () => Promise.resolve() };
const noWritings = {
  newest: () => Promise.resolve(undefined),
  next: () => Promise.resolve(1),
  keep: () => Promise.resolve(),
};

/** What the gateway shows of language models. */
export const modelProviders = ({
  ledger = new MemoryModelLedger(),
  replies = noReplies,
  assessments = noWritings,
  logSummaries = noWritings,
  wishes = new MemoryModelWishes(),
}: HarnessOptions): Provider[] => [
  { provide: MODEL_LEDGER, useValue: ledger },
  { provide: MODEL_REPLIES, useValue: replies },
  { provide: ASSESSMENTS, useValue: assessments },
  { provide: LOG_SUMMARIES, useValue: logSummaries },
  { provide: MODEL_WISHES, useValue: wishes },
];
