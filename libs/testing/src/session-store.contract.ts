import { batchRecordsContract } from './batch-records.contract';
import { ManualClock } from './manual-clock';
import { programCataloguesContract } from './program-catalogues.contract';
import { sessionEventsContract } from './session-events.contract';
import { sessionGuidanceContract } from './session-guidance.contract';
import { sessionPriorityContract } from './session-priority.contract';
import { sessionRecordsContract } from './session-records.contract';
import { sessionReopeningContract } from './session-reopening.contract';
import { stepScheduleContract } from './step-schedule.contract';
import type { PortContract, StorePorts } from './store-ports';

/** A separate, empty store for each test, with the given clock. */
interface StoreUnderTest {
  readonly store: StorePorts;
  readonly close: () => Promise<void>;
}

export type MakeStore = (clock: ManualClock) => Promise<StoreUnderTest>;

const contracts: Readonly<Record<string, PortContract>> = {
  SessionRecords: sessionRecordsContract,
  'SessionRecords that reopen a session': sessionReopeningContract,
  'SessionRecords with guidance': sessionGuidanceContract,
  'SessionRecords with another priority': sessionPriorityContract,
  StepSchedule: stepScheduleContract,
  SessionEvents: sessionEventsContract,
  ProgramCatalogues: programCataloguesContract,
  BatchRecords: batchRecordsContract,
};

/** The behavior of every store, port by port. Run it in a spec of the implementation. */
export const sessionStoreContract = (name: string, make: MakeStore): void => {
  describe.each(Object.entries(contracts))(`${name} as %s`, (_, contract) => {
    const clock = new ManualClock();
    let under: StoreUnderTest;
    beforeEach(async () => {
      under = await make(clock);
    });
    afterEach(async () => {
      await under.close();
    });
    contract(() => under.store, clock);
  });
};
