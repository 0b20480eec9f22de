// Needs the recorded requests: PHENIX_FLEET_TEST_SCENARIOS.
import type { Session } from '@fleet/contracts/sessions';
import { buildDecisionGraph, replayer } from '@fleet/decision-graph';
import { aCycle, projectRules } from '@fleet/testing';
import { recordedInputs } from '../bench/recorded-sessions';

const decidedAt = '2026-11-21T08:00:00.000Z';

it('the decisions about the recorded requests are the same when they are replayed from a record', async () => {
  const ruleBook = projectRules();
  const graph = buildDecisionGraph({ ruleBook });
  const replay = replayer(ruleBook);
  const inputs = await recordedInputs(graph, ruleBook);
  let decisions = 0;
  for (const input of inputs.filter(({ stop }) => stop === undefined)) {
    const outcome = await graph.decide(input);
    if ('stop' in outcome) continue;
    const { session } = input;
    const decision = {
      ...outcome.decision,
      decidedAt,
      ...(session.guidance !== undefined && { guidance: session.guidance.revision }),
    };
    const record = aCycle({ cycle: session.cycle, decision });
    const stored = JSON.parse(JSON.stringify({ ...session, cycles: [...session.cycles, record] })) as Session;
    const { cycles } = await replay(stored, { ...input.catalogue, programs: [] });
    expect(cycles.at(-1)).toMatchObject({ cycle: session.cycle, result: 'same' });
    decisions += 1;
  }
  expect(decisions).toBeGreaterThan(60);
});
