import { compare, type Kinds } from './command-differences';
import { shortCommand, type Answered, type Difference } from './scenario-files';

const preamble = `# Recorded decisions, one by one

Made by \`test/scenarios/decisions.spec.ts\` (write it again with \`FLEET_WRITE_DOCS=1\`); every line was answered by the v2 API through the
whole transport, files known by their names. Beside our answer stands that of the public PHENIX AI agent (rules only). It is a peer, not the
specification: where programs differ, the reason stands below and is kept in \`test/scenarios/differences.yaml\`; where the program is the same
and a word of the command, the state or the stop is another, in \`test/scenarios/command-differences.yaml\`. The test fails on a difference
without a reason and on a reason without a difference.
`;

const answerLine = (who: string, command: string, state: string | null, stop: string | null): string =>
  `- ${who} \`${command}\` (${state ?? 'no state'}${stop === null ? '' : `; ${stop}`})`;

/** The same program: what else differs, and why. */
const likeness = (answered: Answered, kinds: Kinds): string => {
  const reasons = compare(answered, kinds).kinds.map(({ because }) => because);
  return reasons.length === 0 ? '- same' : `- same program; beside it: ${reasons.join('; ')}`;
};

const section = (answered: Answered, difference: Difference | undefined, kinds: Kinds): string => {
  const { scenario, response } = answered;
  const { public_agent: peer } = scenario;
  const stop = response.stop ? `${response.metadata.stop_code ?? ''}: ${response.decision.reasoning}` : null;
  const ours = shortCommand(response.decision.command);
  return [
    `### ${scenario.id}: ${scenario.title}`,
    '',
    answerLine('ours:', ours, response.metadata.workflow_state, stop),
    answerLine('public agent:', shortCommand(peer.command), peer.workflow_state, peer.stop_reason),
    difference === undefined ? likeness(answered, kinds) : `- **differs**: ${difference.because}`,
    '',
  ].join('\n');
};

/** test/scenarios/decisions.md */
export const scenarioTable = (
  answered: readonly Answered[],
  differences: Readonly<Record<string, Difference>>,
  kinds: Kinds,
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
        .map((one) => section(one, differences[one.scenario.id], kinds)),
    ]),
  ].join('\n');
};
