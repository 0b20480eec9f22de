import type { SessionHead } from '@fleet/contracts';
import type { RuleBook } from '@fleet/knowledge-model';
import {
  CLOCK,
  METRICS,
  SESSION_FOLDER,
  SESSION_RECORDS,
  STEP_SCHEDULE,
  TRACING,
  type Clock,
  type Metrics,
  type SessionFolderPort,
  type SessionRecords,
  type StepSchedule,
  type Tracing,
} from '@fleet/ports';
import { countEndsFromZero } from './count-end';
import { SessionKeeper } from './session-keeper';
import { SessionTurns } from './session-turns';

export const STEP_PORTS = Symbol('StepPorts');

/** What every step works with. */
export interface StepPorts {
  readonly records: Pick<SessionRecords, 'load' | 'loadHead' | 'advance'>;
  readonly schedule: Pick<StepSchedule, 'postpone' | 'countFailure'>;
  readonly keeper: Pick<SessionKeeper, 'keep'>;
  /** Wakes whoever is next. Never throws for a queue that cannot be reached: the outbox has the wake-up. */
  readonly wake: (head: SessionHead) => Promise<void>;
  /** Present where steps of one session begin in more ways than by their job; they follow one another then. */
  readonly turns?: SessionTurns;
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
  readonly folder: Pick<SessionFolderPort, 'writeSession' | 'writeSummary'>;
  readonly ruleBook: RuleBook;
  readonly wakeUps: { wake(head: SessionHead): Promise<void> };
}

/** What a worker's steps work with, as its adapters fulfil it. */
export const makeStepPorts = (adapters: StepAdapters): StepPorts => {
  const { records, schedule, folder, ruleBook, wakeUps, clock, log } = adapters;
  const keeper = new SessionKeeper(records, folder, ruleBook);
  return { records, schedule, keeper, wake: (head) => wakeUps.wake(head), clock, log };
};

type Injected = readonly [
  SessionRecords,
  StepSchedule,
  SessionFolderPort,
  Clock,
  Metrics,
  Tracing,
  RuleBook,
  StepAdapters['wakeUps'],
];

/** What a worker's module is told of this: the tokens of what lies in adapters. */
interface StepTokens<T> extends Pick<StepPorts, 'log'> {
  readonly ruleBook: symbol;
  readonly wakeUps: T;
  /** Whether steps of one session begin in more ways than by their job; absent: no. */
  readonly takeTurns?: boolean;
}

/** As a module takes it, and without Nest, which nothing here needs. */
interface StepPortsProvider<T> {
  readonly provide: typeof STEP_PORTS;
  readonly inject: (symbol | T)[];
  readonly useFactory: (...injected: Injected) => StepPorts;
}

/** How a worker's module provides `STEP_PORTS`; said once, for all workers do it alike. */
export const stepPortsProvider = <T>(tokens: StepTokens<T>): StepPortsProvider<T> => {
  const { ruleBook, wakeUps, log, takeTurns = false } = tokens;
  return {
    provide: STEP_PORTS,
    inject: [SESSION_RECORDS, STEP_SCHEDULE, SESSION_FOLDER, CLOCK, METRICS, TRACING, ruleBook, wakeUps],
    useFactory: (...[records, schedule, folder, clock, metrics, tracing, rules, waker]: Injected): StepPorts => {
      countEndsFromZero(metrics);
      return {
        ...makeStepPorts({ records, schedule, folder, clock, ruleBook: rules, wakeUps: waker, log }),
        metrics,
        tracing,
        ...(takeTurns && { turns: new SessionTurns() }),
      };
    },
  };
};
