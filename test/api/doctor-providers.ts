import type { Provider } from '@nestjs/common';
import { CHECKUPS, SITE_LOOKS } from '@fleet/ports';
import { MemorySiteLooks } from '@fleet/redis';
import type { HarnessOptions } from './harness-options';

/** Providers for the checkups of the doctor. */
export const doctorProviders = ({ checkups = [], looks = new MemorySiteLooks() }: HarnessOptions): Provider[] => [
  { provide: CHECKUPS, useValue: checkups },
  { provide: SITE_LOOKS, useValue: looks },
];
