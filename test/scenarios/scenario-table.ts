import type { DecideResponse } from '@fleet/decision-api';
import { shortCommand, type Difference, type Scenario } from './scenario-files';

/** One answered scenario. */
export interface Answered {
  readonly scenario: Scenario;
  readonly response: DecideResponse;
}

const preamble = `# Recorded decisions, one by one

Made by \`test/scenarios/decisions.spec.ts\` (write it again with \`FLEET_WRITE_DOCS=1\`); every line was answered by the v2 API through the
whole transport, files known by their names. Beside our answer stands that of the public PHENIX AI agent (rules only). It is a peer, not the
specification: where programs differ, the reason stands below and is kept in \`test/scenarios/differences.yaml\`; the test fails on a difference
without a reason and on a reason without a difference.
`;

const answerLine = (who: string, command: string, state: string | null, stop: string | null): string =>
  `- ${who} \`${command}\` (${state ?? 'no state'}${stop === null ? '' : `; ${stop}`})`;

const section = ({ scenario, response }: Answered, difference: Difference | undefined): string => {
  const { public_agent: peer } = scenario;
  const stop = response.stop ? `${response.metadata.stop_code ?? ''}: ${response.decision.reasoning}` : null;
  const ours = shortCommand(response.decision.command);
  return [
    `### ${scenario.id}: ${scenario.title}`,
    '',
    answerLine('ours:', ours, response.metadata.workflow_state, stop),
    answerLine('public agent:', shortCommand(peer.command), peer.workflow_state, peer.stop_reason),
    difference === undefined ? '- same program' : `- **differs**: ${difference.because}`,
    '',
  ].join('\n');
};

/** docs/decision-scenarios.md */
export const scenarioTable = (
  answered: readonly Answered[],
  differences: Readonly<Record<string, Difference>>,
): string => {
  const groups = [...new Set(answered.map(({ scenario }) => scenario.group))];
  const differing = answered.filter(({ scenario }) => differences[scenario.id] !== undefined).length;
  return [
    preamble,
    `${answered.length} requests, ${answered.length - differing} with the same program, ${differing} explained.\n`,
    ...groups.flatMap((group) => [
      `## ${group}\n`,
      ...answered
        .filter(({ scenario }) => scenario.group === group)
        .map((one) => section(one, differences[one.scenario.id])),
    ]),
  ].join('\n');
};
