import type { Provider } from '@nestjs/common';
import { MODEL_LEDGER, MODEL_REPLIES, type ModelReplies } from '@fleet/ports';
import { MemoryModelLedger } from '@fleet/session-store';
import type { HarnessOptions } from './harness-options';

const noReplies: ModelReplies = { find: () => Promise.resolve(undefined), keep: () => Promise.resolve() };

/** What the gateway shows of language models. */
export const modelProviders = ({
  ledger = new MemoryModelLedger(),
  replies = noReplies,
}: HarnessOptions): Provider[] => [
  { provide: MODEL_LEDGER, useValue: ledger },
  { provide: MODEL_REPLIES, useValue: replies },
];
