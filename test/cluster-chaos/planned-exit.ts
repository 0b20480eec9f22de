import { attemptOfName } from '@fleet/contracts/runs';

/** What a stand-in program exits with: follows from the session and the cycle alone, so that it is the same without any chaos. */
export const plannedExit = (sessionId: string, cycle: number): number =>
  (sessionId.charCodeAt(sessionId.length - 1) + cycle) % 3 === 0 ? 1 : 0;

/** The same, by the name of an attempt. */
export const plannedExitOf = (name: string): number => {
  const attempt = attemptOfName(name);
  if (attempt === undefined) throw new Error(`${name} is not an attempt`);
  return plannedExit(attempt.sessionId, attempt.cycle);
};
