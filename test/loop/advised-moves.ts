import type { Step } from '@fleet/contracts/runs';
import { analysedCycles, directivesInForce, type CycleRecord, type Session } from '@fleet/contracts/sessions';
import type { NextPosition } from '@fleet/ports';
import type { Move } from '@fleet/steps';

const decided = ({ cycle, updatedAt }: Session): CycleRecord => ({
  cycle,
  attempts: [],
  decision: {
    program: 'phenix.refine',
    argv: ['phenix.refine'],
    reasoning: 'nothing',
    experimentType: 'xray',
    workflowState: 'xray_refined',
    step: 'refine',
    inputs: [],
    strategy: {},
    validPrograms: ['phenix.refine'],
    notOffered: [],
    decidedBy: 'rules',
    confidence: 'high',
    decidedAt: updatedAt,
  },
});

const analysed = (session: Session): CycleRecord => ({
  ...decided(session),
  result: {
    outcome: 'success',
    summary: 'nothing',
    errorLines: [],
    metrics: [],
    outputs: [],
    analysedAt: session.updatedAt,
  },
});

/** The move with the record of its cycle; its event says which revision of the guidance the step has seen. */
export const advisedMove = (session: Session, job: Step['job'], move: Move): Move => {
  if (job !== 'decide' && job !== 'analyse') return move;
  const data = { revision: session.guidance?.revision ?? 1 };
  return {
    ...move,
    events: move.events.map((event) => ({ ...event, message: job, data })),
    cycleRecord: job === 'decide' ? decided(session) : analysed(session),
  };
};

/** The end of a session with a stop request; undefined if it continues. */
export const advisedEnd = (session: Session): NextPosition | undefined => {
  const limit = directivesInForce(session).stop_conditions?.after_cycle ?? Infinity;
  const done = analysedCycles(session).length + 1;
  return done >= limit
    ? { ended: { reason: 'goal_reached', detail: 'as asked', afterCycle: session.cycle } }
    : undefined;
};
