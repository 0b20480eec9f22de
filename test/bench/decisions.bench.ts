import { buildCommand } from '@fleet/commands';
import { buildDecisionGraph, type DecisionGraph, type DecisionInput } from '@fleet/decision-graph';
import type { RuleBook } from '@fleet/knowledge-model';
import { describeSession, openMenu, sanityIssues } from '@fleet/workflow';
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import { cpuMilliseconds, cpuMillisecondsOf, projectRules } from '@fleet/testing';
import { decidedSessions, everything } from './decided-sessions';
import { deliver, figure, median, quantile } from './figures';
import { recordedInputs } from './recorded-sessions';

const ROUNDS = 15;
/** Rounds that are not counted: the compiler needs a while until both run at their speed. */
const WARM_UP = 5;
/** Decisions in one round, at least. */
const DECISIONS = 100;
/** Calls per session in a measurement of the domain alone. */
const CALLS = 200;
const AT = '2026-11-21T08:00:00.000Z';

let ruleBook: RuleBook;
let graph: DecisionGraph;
let inputs: readonly DecisionInput[];

beforeAll(async () => {
  ruleBook = projectRules();
  graph = buildDecisionGraph({ ruleBook });
  const sessions = await decidedSessions(graph, ruleBook);
  const walked = sessions.map((session) => ({ session, catalogue: everything, now: AT }));
  const hasRecorded = process.env['PHENIX_FLEET_TEST_SCENARIOS'] !== undefined;
  inputs = [...walked, ...(hasRecorded ? await recordedInputs(graph, ruleBook) : [])];
});

/** What the graph's nodes ask of the domain for one decision, and nothing else. */
const decideBare = ({ session, catalogue }: DecisionInput): unknown => {
  const described = describeSession({ session, ruleBook, catalogue });
  const menu = openMenu(described, ruleBook);
  sanityIssues(described);
  const program = ruleBook.programs[menu.offered[0]?.program ?? ''];
  // Nothing is offered: the answer is a stop, and there is no command.
  if (program === undefined) return menu;
  return buildCommand({ program, files: described.files, facts: described.facts, strategy: {} });
};

/** Mean time of one decision for each session; many calls at once, for the clock of CPU time ticks in milliseconds. */
const domainTimes = (): readonly number[] => {
  for (let pass = 0; pass < CALLS; pass += 1) for (const input of inputs) decideBare(input);
  const all = (input: DecisionInput) => (): void => {
    for (let call = 0; call < CALLS; call += 1) decideBare(input);
  };
  return inputs.map((input) => cpuMillisecondsOf(all(input)) / CALLS);
};

/** As many nodes, edges and fields as the real graph; the nodes only hand on a small object. */
const bareGraph = () => {
  const State = Annotation.Root({
    input: Annotation<unknown>,
    draft: Annotation<object, object>({ reducer: (known, change) => ({ ...known, ...change }), default: () => ({}) }),
    events: Annotation<readonly string[]>({ reducer: (known, more) => [...known, ...more], default: () => [] }),
  });
  const node = (name: string) => () => ({ draft: { [name]: name }, events: [name] });
  return new StateGraph(State)
    .addNode('perceive', node('perceive'))
    .addNode('plan', node('plan'))
    .addNode('build', node('build'))
    .addNode('validate', node('validate'))
    .addNode('fallback', node('fallback'))
    .addNode('output', node('output'))
    .addEdge(START, 'perceive')
    .addConditionalEdges('perceive', () => 'plan', ['plan', 'output'])
    .addConditionalEdges('plan', () => 'build', ['build', 'fallback', 'output'])
    .addEdge('build', 'validate')
    .addConditionalEdges('validate', () => 'output', ['output', 'plan', 'fallback'])
    .addEdge('fallback', 'output')
    .addEdge('output', END)
    .compile();
};

const round = async (decide: (input: DecisionInput) => Promise<unknown>): Promise<number> => {
  const passes = Math.ceil(DECISIONS / inputs.length);
  const start = cpuMilliseconds();
  for (let pass = 0; pass < passes; pass += 1) for (const input of inputs) await decide(input);
  return cpuMilliseconds() - start;
};

/** Rounds of both, one after the other; the median of the paired ratios. */
const graphRatio = async (): Promise<number> => {
  const bare = bareGraph();
  const ratios: number[] = [];
  for (let index = -WARM_UP; index < ROUNDS; index += 1) {
    const reference = await round((input) => bare.invoke({ input }, { recursionLimit: 20 }));
    const ours = await round((input) => graph.decide(input));
    if (index >= 0) ratios.push(ours / reference);
  }
  return median(ratios);
};

describe('a decision against the bare graph library', () => {
  it('takes little more CPU than the decision of the domain and the graph by itself', async () => {
    const ratio = await graphRatio();
    deliver([
      figure(
        `decision by the domain alone, p95 of ${String(inputs.length)} sessions (ms of CPU)`,
        quantile(domainTimes(), 0.95),
        '<=',
        0.7,
      ),
      figure('decision graph against a bare LangGraph of as many nodes', ratio, '<=', 1.5),
    ]);
  });
});
