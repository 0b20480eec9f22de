import type { BackendName } from '@fleet/contracts/service';
import type { AttemptRecord, Session, WaitingAttempt } from '@fleet/contracts/sessions';

/** An attempt before its start. */
export type Launched = Omit<AttemptRecord, 'startedAt' | 'ending'>;

/** The queued attempt. */
export const launchedOf = ({ attempt, backend, provider, programVersion, resources }: WaitingAttempt): Launched => ({
  attempt,
  backend,
  provider,
  programVersion,
  ...(resources !== undefined && { resources }),
});

/** An attempt whose installed program is not known yet. */
export const notKnownYet = ({ attempt }: Session, backend: BackendName): Launched => ({
  attempt,
  backend,
  provider: 'phenix',
  programVersion: 'not known yet',
});
