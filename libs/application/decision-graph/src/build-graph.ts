import { Fault } from '@fleet/contracts';
import { validForModels, type Menu } from '@fleet/workflow';
import { END, START, StateGraph } from '@langchain/langgraph';
import { chooseByRules } from './choose-by-rules';
import type { DecisionInput, DecisionOutcome, GraphDeps, UndatedDecision } from './decision-types';
import { afterPerceive, afterPlan, afterValidate } from './edges';
import { makeBuild } from './nodes/build.node';
import { makeFallback } from './nodes/fallback.node';
import { output } from './nodes/output.node';
import { makePerceive } from './nodes/perceive.node';
import { makePlan } from './nodes/plan.node';
import { makeValidate } from './nodes/validate.node';
import { DecisionState, type Draft } from './state';

/** plan, build, validate three times and the rest once, with room to spare. */
const recursionLimit = 20;

const wire = (deps: GraphDeps) =>
  new StateGraph(DecisionState)
    .addNode('perceive', makePerceive(deps))
    .addNode('plan', makePlan(deps))
    .addNode('build', makeBuild(deps))
    .addNode('validate', makeValidate(deps))
    .addNode('fallback', makeFallback(deps))
    .addNode('output', output)
    .addEdge(START, 'perceive')
    .addConditionalEdges('perceive', afterPerceive, ['plan', 'output'])
    .addConditionalEdges('plan', afterPlan, ['build', 'fallback', 'output'])
    .addEdge('build', 'validate')
    .addConditionalEdges('validate', afterValidate, ['output', 'plan', 'fallback'])
    .addEdge('fallback', 'output')
    .addEdge('output', END)
    .compile();

const confidenceOf = ({ decidedBy, rejections, choice }: Draft): UndatedDecision['confidence'] => {
  if (decidedBy === 'fallback') return 'low';
  if (choice?.confidence !== undefined) return choice.confidence;
  return rejections.length === 0 ? 'high' : 'medium';
};

/** What could be chosen, and what could not, as whoever decided saw it. */
const choicesOf = (
  decidedBy: Draft['decidedBy'],
  menu: Menu,
): Pick<UndatedDecision, 'validPrograms' | 'notOffered'> => {
  const validPrograms = decidedBy === 'model' ? validForModels(menu) : menu.validPrograms;
  const refused = menu.refused.filter(({ program }) => !validPrograms.includes(program));
  return { validPrograms, notOffered: refused.map(({ program, why }) => ({ program, why })) };
};

const decisionOf = (draft: Draft): UndatedDecision => {
  const { assessment, choice, command } = draft;
  if (assessment === undefined || choice === undefined || command === undefined) {
    throw new Fault('decision.incomplete', 'bug', 'The decision graph ended with neither a command nor a stop');
  }
  const { described, menu } = assessment;
  return {
    program: choice.program,
    argv: command.argv,
    reasoning: choice.reasoning,
    experimentType: described.experiment,
    workflowState: menu.state,
    step: menu.step,
    inputs: command.inputs.map(({ slot, file }) => ({ slot: slot.slot, path: file.path })),
    strategy: command.strategy,
    ...choicesOf(draft.decidedBy, menu),
    decidedBy: draft.decidedBy,
    confidence: confidenceOf(draft),
    ...(choice.planning !== undefined && { planning: choice.planning }),
  };
};

export interface DecisionGraph {
  /**
   * One decision: the next program with its command, or a stop with its reason.
   * @throws Fault `decision.incomplete` (a bug of the graph); never because of a session's data.
   */
  decide(input: DecisionInput): Promise<DecisionOutcome>;
}

/** Compiles the graph once; without a chooser the rules decide. */
export const buildDecisionGraph = (deps: Pick<GraphDeps, 'ruleBook'> & Partial<GraphDeps>): DecisionGraph => {
  const graph = wire({ choose: chooseByRules, ...deps });
  return {
    decide: async (input) => {
      const { draft, events } = await graph.invoke({ input }, { recursionLimit });
      const { assessment } = draft;
      const seen = assessment === undefined ? {} : { assessment };
      return draft.stop === undefined
        ? { decision: decisionOf(draft), events, ...seen }
        : { stop: draft.stop, events, ...seen };
    },
  };
};
