import type { SessionHead } from '@fleet/contracts/sessions';
import {
  CLOCK,
  METRICS,
  SESSION_RECORDS,
  STEP_SCHEDULE,
  TRACING,
  type Clock,
  type Metrics,
  type SessionRecords,
  type StepSchedule,
  type Tracing,
} from '@fleet/ports';
import { countEndsFromZero } from './count-end';
import { SessionMutex } from './session-mutex';

export const STEP_PORTS = Symbol('StepPorts');

/** What every step works with. */
export interface StepPorts {
  readonly records: Pick<SessionRecords, 'load' | 'loadHead' | 'advance'>;
  readonly schedule: Pick<StepSchedule, 'postpone' | 'countFailure'>;
  /** Wakes whoever is next. Never throws for a queue that cannot be reached: the outbox has the wake-up. */
  readonly wake: (head: SessionHead) => Promise<void>;
  /** Present where steps of one session begin in more ways than by their job; they follow one another then. */
  readonly mutex?: SessionMutex;
  readonly clock: Clock;
  /** Absent: nobody reads how many steps there are. */
  readonly metrics?: Pick<Metrics, 'count' | 'observe'>;
  /** Absent: nobody collects spans. */
  readonly tracing?: Pick<Tracing, 'during'>;
  /** For whoever runs the service: hears of sessions that were given up. */
  readonly log: { error(entry: Readonly<Record<string, string>>): void };
}

/** What a worker brings. */
interface StepAdapters extends Pick<StepPorts, 'records' | 'schedule' | 'clock' | 'log'> {
  readonly wakeUps: { wake(head: SessionHead): Promise<void> };
}

/** What a worker's steps work with, as its adapters fulfil it. */
export const makeStepPorts = (adapters: StepAdapters): StepPorts => {
  const { records, schedule, wakeUps, clock, log } = adapters;
  return { records, schedule, wake: (head) => wakeUps.wake(head), clock, log };
};

type Injected = readonly [SessionRecords, StepSchedule, Clock, Metrics, Tracing, StepAdapters['wakeUps']];

/** What a worker's module receives of this: the tokens of what lies in adapters. */
interface StepTokens<T> extends Pick<StepPorts, 'log'> {
  readonly wakeUps: T;
  /** Whether steps of one session begin in more ways than by their job; absent: no. */
  readonly withMutex?: boolean;
}

/** As a module takes it, and without Nest, which nothing here needs. */
interface StepPortsProvider<T> {
  readonly provide: typeof STEP_PORTS;
  readonly inject: (symbol | T)[];
  readonly useFactory: (...injected: Injected) => StepPorts;
}

/** How a worker's module provides `STEP_PORTS`; said once, for all workers do it alike. */
export const stepPortsProvider = <T>(tokens: StepTokens<T>): StepPortsProvider<T> => {
  const { wakeUps, log, withMutex = false } = tokens;
  return {
    provide: STEP_PORTS,
    inject: [SESSION_RECORDS, STEP_SCHEDULE, CLOCK, METRICS, TRACING, wakeUps],
    useFactory: (...[records, schedule, clock, metrics, tracing, waker]: Injected): StepPorts => {
      countEndsFromZero(metrics);
      return {
        ...makeStepPorts({ records, schedule, clock, wakeUps: waker, log }),
        metrics,
        tracing,
        ...(withMutex && { mutex: new SessionMutex() }),
      };
    },
  };
};
