import type { Provider } from '@nestjs/common';
import { ASSESSMENTS, LOG_SUMMARIES, MODEL_REPLIES, type ModelReplies } from '@fleet/ports';
import type { HarnessOptions } from './harness-options';

const noReplies: ModelReplies = { find: () => Promise.resolve(undefined), keep: () => Promise.resolve() };
const noWritings = {
  newest: () => Promise.resolve(undefined),
  next: () => Promise.resolve(1),
  keep: () => Promise.resolve(),
};

/** What the gateway shows of language models. */
export const modelProviders = ({
  replies = noReplies,
  assessments = noWritings,
  logSummaries = noWritings,
}: HarnessOptions): Provider[] => [
  { provide: MODEL_REPLIES, useValue: replies },
  { provide: ASSESSMENTS, useValue: assessments },
  { provide: LOG_SUMMARIES, useValue: logSummaries },
];
