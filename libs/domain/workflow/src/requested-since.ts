import type { AdviceReading, SessionDirectives, StopConditions } from '@fleet/contracts/guidance';
import type { GuidedSession, SessionSteering } from '@fleet/contracts/sessions';
import type { ProgramStates } from './facts/program-facts';

type Requested = NonNullable<AdviceReading['requestedPrograms']>;

/** What new advice requests, and from which cycle its directives count. */
export interface RequestedSince {
  /** Cycle after which runs count for this directive; 0 for a directive that the latest advice did not change. */
  readonly countedAfter: (condition: keyof StopConditions) => number;
  /** The same for requests that the advice makes in words and in settings. */
  readonly changedAfter: number;
  /** Programs that the new advice requests and that have not yet run as often since then, in its order. */
  readonly left: Requested;
}

/** Whether the client set this directive before the last change of the advice. */
const isOlder = ({ guidance }: GuidedSession, condition: keyof StopConditions): boolean =>
  guidance?.directives?.stop_conditions?.[condition] !== undefined &&
  (guidance.directivesSince ?? 0) < guidance.revision;

export const requestedSince = (
  session: GuidedSession,
  { adviceChangedAfter }: SessionSteering,
): Omit<RequestedSince, 'left'> => {
  const changedAfter = adviceChangedAfter ?? 0;
  return { changedAfter, countedAfter: (condition) => (isOlder(session, condition) ? 0 : changedAfter) };
};

/** Empty if the advice never changed: the workflow itself leads to what the submission requests. */
export const requestedLeft = (
  { guidance }: GuidedSession,
  { adviceChangedAfter }: SessionSteering,
  programs: ProgramStates,
): Requested =>
  adviceChangedAfter === undefined
    ? []
    : (guidance?.reading.requestedPrograms ?? []).filter(
        ({ program, times }) =>
          (programs.get(program)?.ranAt.filter((cycle) => cycle > adviceChangedAfter).length ?? 0) < times,
      );

interface Described {
  readonly requested: RequestedSince;
  readonly directives: SessionDirectives;
  readonly programs: ProgramStates;
}

/** Whether new advice names the program and it has not run since: the same run as before is requested again. */
export const isRequestedAgain = (
  program: string,
  { requested: { left, changedAfter }, directives, programs }: Described,
): boolean => {
  const { start_with_program, after_program } = directives.stop_conditions ?? {};
  const isNamed = [start_with_program, after_program, ...left.map((one) => one.program)].includes(program);
  return changedAfter > 0 && isNamed && (programs.get(program)?.last ?? 0) <= changedAfter;
};
