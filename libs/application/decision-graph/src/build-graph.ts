import { Fault } from '@fleet/contracts/faults';
import { validForModels, type Menu } from '@fleet/workflow';
import { END, START, StateGraph } from '@langchain/langgraph';
import type { RuleBook } from '@fleet/knowledge-model';
import { chooseByRules } from './choose-by-rules';
import type { DecisionInput, DecisionOutcome, GraphDeps, UndatedDecision } from './decision-types';
import { afterPerceive, afterPlan, afterValidate } from './edges';
import { makeBuild } from './nodes/build.node';
import { makeFallback } from './nodes/fallback.node';
import { output } from './nodes/output.node';
import { makePerceive } from './nodes/perceive.node';
import { makePlan } from './nodes/plan.node';
import { makeValidate } from './nodes/validate.node';
import { provenanceOf } from './provenance';
import { appended, DecisionState, merged, nothingYet, type DecisionStateType, type Draft } from './state';

/** plan, build, validate three times and the rest once, plus a margin. */
const recursionLimit = 20;

const nodesOf = (deps: GraphDeps) => ({
  perceive: makePerceive(deps),
  plan: makePlan(deps),
  build: makeBuild(deps),
  validate: makeValidate(deps),
  fallback: makeFallback(deps),
  output,
});

const wire = (deps: GraphDeps) => {
  const { perceive, plan, build, validate, fallback, output: last } = nodesOf(deps);
  return new StateGraph(DecisionState)
    .addNode('perceive', perceive)
    .addNode('plan', plan)
    .addNode('build', build)
    .addNode('validate', validate)
    .addNode('fallback', fallback)
    .addNode('output', last)
    .addEdge(START, 'perceive')
    .addConditionalEdges('perceive', afterPerceive, ['plan', 'output'])
    .addConditionalEdges('plan', afterPlan, ['build', 'fallback', 'output'])
    .addEdge('build', 'validate')
    .addConditionalEdges('validate', afterValidate, ['output', 'plan', 'fallback'])
    .addEdge('fallback', 'output')
    .addEdge('output', END)
    .compile();
};

type NodeName = keyof ReturnType<typeof nodesOf>;

/** The edges of `wire`, for callers that run them without the graph library. */
const nextOf: Readonly<Record<NodeName, (state: DecisionStateType) => NodeName | undefined>> = {
  perceive: afterPerceive,
  plan: afterPlan,
  build: () => 'validate',
  validate: afterValidate,
  fallback: () => 'output',
  output: () => undefined,
};

const confidenceOf = ({ decidedBy, rejections, choice }: Draft): UndatedDecision['confidence'] => {
  if (decidedBy === 'fallback') return 'low';
  if (choice?.confidence !== undefined) return choice.confidence;
  return rejections.length === 0 ? 'high' : 'medium';
};

/** The offered and not offered programs at the time of the decision. */
const choicesOf = (
  decidedBy: Draft['decidedBy'],
  menu: Menu,
): Pick<UndatedDecision, 'validPrograms' | 'notOffered'> => {
  const validPrograms = decidedBy === 'model' ? validForModels(menu) : menu.validPrograms;
  const refused = menu.refused.filter(({ program }) => !validPrograms.includes(program));
  return { validPrograms, notOffered: refused.map(({ program, why }) => ({ program, why })) };
};

const decisionOf = (draft: Draft, input: DecisionInput, ruleBook: RuleBook): UndatedDecision => {
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
    provenance: provenanceOf({ ...draft, assessment, program: choice.program }, input, ruleBook),
  };
};

export interface DecisionGraph {
  /**
   * One decision: the next program with its command, or a stop with its reason.
   * @throws Fault `decision.incomplete` (a bug of the graph); never because of a session's data.
   */
  decide(input: DecisionInput): Promise<DecisionOutcome>;
}

const outcomeOf = (
  { draft, events }: Pick<DecisionStateType, 'draft' | 'events'>,
  input: DecisionInput,
  ruleBook: RuleBook,
): DecisionOutcome => {
  const { assessment, pastStop, stop } = draft;
  const seen = { ...(assessment !== undefined && { assessment }), ...(pastStop !== undefined && { pastStop }) };
  return stop === undefined
    ? { decision: decisionOf(draft, input, ruleBook), events, ...seen }
    : { stop, events, ...seen };
};

type Deps = Pick<GraphDeps, 'ruleBook'> & Partial<GraphDeps>;

/** Compiles the graph once; without a chooser the rules decide. */
export const buildDecisionGraph = (deps: Deps): DecisionGraph => {
  const graph = wire({ choose: chooseByRules, ...deps });
  return {
    decide: async (input) => outcomeOf(await graph.invoke({ input }, { recursionLimit }), input, deps.ruleBook),
  };
};

/** The same nodes and edges without the graph library, which takes most of the time of a decision: for many untraced decisions in a row. */
export const buildBareGraph = (deps: Deps): DecisionGraph => {
  const nodes = nodesOf({ choose: chooseByRules, ...deps });
  return {
    decide: async (input) => {
      let state: DecisionStateType = { input, draft: nothingYet(), events: [] };
      let at: NodeName | undefined = 'perceive';
      for (let steps = 0; at !== undefined; steps += 1) {
        if (steps >= recursionLimit) throw new Fault('decision.endless', 'bug', 'The decision graph does not end');
        const { draft = {}, events = [] } = await nodes[at](state);
        state = { input, draft: merged(state.draft, draft), events: appended(state.events, events) };
        at = nextOf[at](state);
      }
      return outcomeOf(state, input, deps.ruleBook);
    },
  };
};
