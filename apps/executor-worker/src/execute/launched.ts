import type { BackendName } from '@fleet/contracts/service';
import type { AttemptRecord, Session, WaitingAttempt } from '@fleet/contracts/sessions';

/** What an attempt is before it starts. */
export type Launched = Omit<AttemptRecord, 'startedAt' | 'ending'>;

/** What was put in line. */
export const launchedOf = ({ attempt, backend, provider, programVersion, resources }: WaitingAttempt): Launched => ({
  attempt,
  backend,
  provider,
  programVersion,
  ...(resources !== undefined && { resources }),
});

/** An attempt of which nobody has found out yet which installed program it runs. */
export const notKnownYet = ({ attempt }: Session, backend: BackendName): Launched => ({
  attempt,
  backend,
  provider: 'phenix',
  programVersion: 'not known yet',
});
