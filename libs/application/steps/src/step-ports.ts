import {
  CLOCK,
  METRICS,
  SESSION_RECORDS,
  STEP_SCHEDULE,
  TRACING,
  type Clock,
  type Metrics,
  type SessionRecords,
  type SessionWaker,
  type StepSchedule,
  type Tracing,
} from '@fleet/ports';
import { countEndsFromZero } from './count-end';
import { SessionMutex } from './session-mutex';

export const STEP_PORTS = Symbol('StepPorts');

/** Dependencies of every step. */
export interface StepPorts {
  readonly records: Pick<SessionRecords, 'load' | 'loadHead' | 'advance'>;
  readonly schedule: Pick<StepSchedule, 'postpone' | 'countFailure'>;
  /** Wakes the next step. */
  readonly waker: SessionWaker;
  /** Present if steps of one session may begin other than by their job; the mutex serialises them. */
  readonly mutex?: SessionMutex;
  readonly clock: Clock;
  /** Absent: steps are not counted. */
  readonly metrics?: Pick<Metrics, 'count' | 'observe'>;
  /** Absent: no spans are collected. */
  readonly tracing?: Pick<Tracing, 'during'>;
  /** For operators: logs sessions that were given up. */
  readonly log: { error(entry: Readonly<Record<string, string>>): void };
}

type Injected = readonly [SessionRecords, StepSchedule, Clock, Metrics, Tracing, SessionWaker];

/** What a worker's module provides: the injection tokens of its adapters. */
interface StepTokens<T> extends Pick<StepPorts, 'log'> {
  readonly waker: T;
  /** Whether steps of one session may begin other than by their job; absent: no. */
  readonly withMutex?: boolean;
}

/** A provider for a Nest module, without a dependency on Nest. */
interface StepPortsProvider<T> {
  readonly provide: typeof STEP_PORTS;
  readonly inject: (symbol | T)[];
  readonly useFactory: (...injected: Injected) => StepPorts;
}

/** How a worker's module provides `STEP_PORTS`, shared by all workers. */
export const stepPortsProvider = <T>(tokens: StepTokens<T>): StepPortsProvider<T> => {
  const { waker: token, log, withMutex = false } = tokens;
  return {
    provide: STEP_PORTS,
    inject: [SESSION_RECORDS, STEP_SCHEDULE, CLOCK, METRICS, TRACING, token],
    useFactory: (...[records, schedule, clock, metrics, tracing, waker]: Injected): StepPorts => {
      countEndsFromZero(metrics);
      const mutex = withMutex && { mutex: new SessionMutex() };
      return { records, schedule, waker, clock, metrics, tracing, log, ...mutex };
    },
  };
};
