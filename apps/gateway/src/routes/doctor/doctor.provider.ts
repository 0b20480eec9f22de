import { Doctor } from '@fleet/observability';
import { CHECKUPS, CLOCK, type Checkup, type Clock } from '@fleet/ports';
import type { Provider } from '@nestjs/common';

/** Provider of the doctor, which checks the site as seen by this gateway. */
export const doctorProvider: Provider = {
  provide: Doctor,
  inject: [CHECKUPS, CLOCK],
  useFactory: (checkups: readonly Checkup[], clock: Clock) => new Doctor(checkups, clock),
};
