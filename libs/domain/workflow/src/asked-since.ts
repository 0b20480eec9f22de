import type { AdviceReading, SessionDirectives, StopConditions } from '@fleet/contracts/guidance';
import type { GuidedSession, SessionSteering } from '@fleet/contracts/sessions';
import type { ProgramStates } from './facts/program-facts';

type Asked = NonNullable<AdviceReading['asked']>;

/** What new advice asks for, and since when its wishes count. */
export interface AskedSince {
  /** Cycle after which runs count as asked for by this wish: of what the last change of the advice did not say, the beginning. */
  readonly countedAfter: (wish: keyof StopConditions) => number;
  /** The same for what the advice says in words and in settings. */
  readonly changedAfter: number;
  /** Programs that new advice wants to run and that have not run as often since, in its order. */
  readonly left: Asked;
}

/** Directives that the client gave before the last change of the advice were asked for then. */
const isOlder = ({ guidance }: GuidedSession, wish: keyof StopConditions): boolean =>
  guidance?.directives?.stop_conditions?.[wish] !== undefined && (guidance.directivesSince ?? 0) < guidance.revision;

export const askedSince = (
  session: GuidedSession,
  { adviceChangedAfter }: SessionSteering,
): Omit<AskedSince, 'left'> => {
  const changedAfter = adviceChangedAfter ?? 0;
  return { changedAfter, countedAfter: (wish) => (isOlder(session, wish) ? 0 : changedAfter) };
};

/** Of a session whose advice never changed none: what its submission asks for comes on its way. */
export const askedLeft = (
  { guidance }: GuidedSession,
  { adviceChangedAfter }: SessionSteering,
  programs: ProgramStates,
): Asked =>
  adviceChangedAfter === undefined
    ? []
    : (guidance?.reading.asked ?? []).filter(
        ({ program, times }) =>
          (programs.get(program)?.ranAt.filter((cycle) => cycle > adviceChangedAfter).length ?? 0) < times,
      );

interface Described {
  readonly asked: AskedSince;
  readonly directives: SessionDirectives;
  readonly programs: ProgramStates;
}

/** New advice names the program, and it has not run since: the same run as before is what is asked for. */
export const isAskedAnew = (
  program: string,
  { asked: { left, changedAfter }, directives, programs }: Described,
): boolean => {
  const { start_with_program, after_program } = directives.stop_conditions ?? {};
  const isNamed = [start_with_program, after_program, ...left.map((one) => one.program)].includes(program);
  return changedAfter > 0 && isNamed && (programs.get(program)?.last ?? 0) <= changedAfter;
};
