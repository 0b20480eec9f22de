import type { Provider } from '@nestjs/common';
import {
  ASSESSMENT_WISHES,
  ASSESSMENTS,
  MODEL_LEDGER,
  MODEL_REPLIES,
  type Assessments,
  type ModelReplies,
} from '@fleet/ports';
import { MemoryAssessmentWishes, MemoryModelLedger } from '@fleet/session-store';
import type { HarnessOptions } from './harness-options';

const noReplies: ModelReplies = { find: () => Promise.resolve(undefined), keep: () => Promise.resolve() };
const noAssessments: Assessments = {
  newest: () => Promise.resolve(undefined),
  next: () => Promise.resolve(1),
  keep: () => Promise.resolve(),
};

/** What the gateway shows of language models. */
export const modelProviders = ({
  ledger = new MemoryModelLedger(),
  replies = noReplies,
  assessments = noAssessments,
  wishes = new MemoryAssessmentWishes(),
}: HarnessOptions): Provider[] => [
  { provide: MODEL_LEDGER, useValue: ledger },
  { provide: MODEL_REPLIES, useValue: replies },
  { provide: ASSESSMENTS, useValue: assessments },
  { provide: ASSESSMENT_WISHES, useValue: wishes },
];
