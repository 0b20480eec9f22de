// Needs the recorded requests: PHENIX_FLEET_TEST_SCENARIOS.
import { buildDecisionApi, decideRequestSchema, decideResponseSchema } from '@fleet/decision-api';
import { buildDecisionGraph } from '@fleet/decision-graph';
import { systemClock } from '@fleet/ports';
import Ajv2020 from 'ajv/dist/2020';
import { projectRules } from '@fleet/testing';
import { expectFile } from '../docs/generated-page';
import { compare, readKinds } from './command-differences';
import { knownFacts, readDifferences, readScenarios, type Answered } from './scenario-files';
import { scenarioTable } from './scenario-table';

describe('the recorded requests', () => {
  const differences = readDifferences();
  const kinds = readKinds();
  let answered: readonly Answered[];
  beforeAll(async () => {
    const ruleBook = projectRules();
    const api = buildDecisionApi({ ruleBook, decider: buildDecisionGraph({ ruleBook }), clock: systemClock });
    answered = await Promise.all(
      readScenarios().map(async (scenario) => ({
        scenario,
        response: await api.answerAsRemote(scenario.request, knownFacts(scenario)),
      })),
    );
  });

  it('are all answered, with a program or with a stop and its reason', () => {
    expect(answered).toHaveLength(95);
    const unanswered = answered.filter(
      ({ response }) =>
        response.error !== null || response.decision.reasoning === '' || response.decision.command === '',
    );
    expect(unanswered.map(({ scenario }) => scenario.id)).toEqual([]);
  });

  it('and their answers are what the schemas of the API say', () => {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
    const [request, response] = [ajv.compile(decideRequestSchema), ajv.compile(decideResponseSchema)];
    const wrong = answered.filter((one) => !request(one.scenario.request) || !response(one.response));
    expect(wrong.map(({ scenario }) => scenario.id)).toEqual([]);
  });

  it('differ from the public agent only where a reason says why', () => {
    const found = answered
      .filter(({ scenario, response }) => response.decision.program !== scenario.public_agent.program)
      .map(({ scenario, response }) => [scenario.id, response.decision.program]);
    const explained = Object.entries(differences).map(([id, { program }]) => [id, program]);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(explained));
  });

  it('with the same program differ in no token, state or stop without a reason, and no reason is left over', () => {
    const found = answered
      .filter(({ scenario }) => differences[scenario.id] === undefined)
      .map((one) => compare(one, kinds));
    expect(found.flatMap(({ unexplained }) => unexplained)).toEqual([]);
    const used = new Set(found.flatMap((one) => one.kinds));
    expect([...kinds.states, ...kinds.stops, ...kinds.tokens].filter((kind) => !used.has(kind))).toEqual([]);
  });

  it('stand in test/scenarios/decisions.md as they are', () => {
    expectFile('test/scenarios/decisions.md', scenarioTable(answered, differences, kinds));
  });
});
