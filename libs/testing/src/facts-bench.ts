import type { SessionDirectives } from '@fleet/contracts/guidance';
import type { ProgramCatalogue, SessionSettings } from '@fleet/contracts/service';
import type { CycleRecord, SessionFile, SessionSteering } from '@fleet/contracts/sessions';
import type { RuleBook } from '@fleet/knowledge-model';
import { projectRules } from './project-rules';
import { describeSession, type DescribedSession } from '@fleet/workflow';
import { aCycle, aDecision, aRequest, aResult, aSession, someSettings } from './builders';
import { aCatalogue } from './session-walk';

/** Session data other than files. */
interface SessionDetails {
  readonly cycles?: readonly CycleRecord[];
  readonly settings?: Partial<SessionSettings>;
  readonly directives?: SessionDirectives;
  readonly steering?: SessionSteering;
  readonly catalogue?: ProgramCatalogue;
  readonly exhausted?: ReadonlyMap<string, string>;
}

/** Input and result of a run. */
export interface PastRun {
  readonly metrics?: Readonly<Record<string, number | string>>;
  readonly outputs?: readonly SessionFile[];
  readonly inputs?: readonly { readonly slot: string; readonly path: string }[];
  /** The program failed with this sentence. */
  readonly fails?: string;
  readonly errorLines?: readonly string[];
}

/** A past cycle of this program; each has a different command. */
export const ran = (cycle: number, program: string, run: PastRun = {}): CycleRecord => {
  const { metrics = {}, outputs = [], inputs = [], fails, errorLines = [] } = run;
  const name = `phenix.${program}`;
  return aCycle({
    cycle,
    decision: aDecision({ program: name, argv: [name, `run=${cycle}`], inputs }),
    result: aResult({
      metrics,
      outputs: outputs.map((file) => ({ ...file, cycle, program: name })),
      errorLines,
      ...(fails === undefined ? {} : { outcome: 'failed', summary: fails }),
    }),
  });
};

/** The same cycle in a session with a map. */
export const inMap = (cycle: CycleRecord): CycleRecord => ({
  ...cycle,
  decision: { ...cycle.decision, experimentType: 'cryoem' },
});

/** Computes facts of sessions with the project's rules. */
export interface FactsBench {
  readonly ruleBook: RuleBook;
  readonly describe: (inputs: readonly SessionFile[], details?: SessionDetails) => DescribedSession;
  readonly factsOf: (inputs: readonly SessionFile[], details?: SessionDetails) => Readonly<Record<string, unknown>>;
}

export const factsBench = (): FactsBench => {
  const ruleBook = projectRules();
  const describeIt: FactsBench['describe'] = (inputs, details = {}) => {
    const { cycles = [], settings, directives = {}, steering = {}, catalogue = aCatalogue(), exhausted } = details;
    const request = aRequest({ inputs, settings: someSettings(settings), directives, steering });
    const session = aSession({ request, cycles });
    return describeSession({
      session,
      ruleBook,
      catalogue,
      ...(exhausted === undefined ? {} : { exhausted }),
    });
  };
  return {
    ruleBook,
    describe: describeIt,
    factsOf: (inputs, details) => describeIt(inputs, details).facts,
  };
};
