import { resolve } from 'node:path';
import type { Command } from 'commander';
import { countsText, knowledgeText } from '../output/replay-lines';
import { tableLines } from '../output/table';
import type { ShadowReport, ShadowRule } from '../shadow/group-replays';
import type * as JudgeSessions from '../shadow/judge-sessions';
import type { Action, Connect } from '../command-context';

interface ShadowOptions {
  readonly since: string;
  readonly until?: string;
  readonly knowledge?: string;
}

/** Number of session ids shown per rule. */
const shownIds = 20;

/** The decision engine takes a third of a second to load, so only this command loads it. */
const loadJudge = (): typeof JudgeSessions => module.require('../shadow/judge-sessions') as typeof JudgeSessions;

const changesText = ({ changes }: ShadowRule): string =>
  changes
    .map(({ from, to, cycles }) => (from === to ? `${from} ×${String(cycles)}` : `${from} → ${to} ×${String(cycles)}`))
    .join(', ');

const idsText = ({ ids }: ShadowRule): string => {
  const more = ids.length - shownIds;
  return `${ids.slice(0, shownIds).join(' ')}${more > 0 ? ` and ${String(more)} more (--json shows all)` : ''}`;
};

const shadowLines = ({
  knowledge,
  sessions,
  affected,
  counts,
  rules,
  undetermined,
}: ShadowReport): readonly string[] => [
  `${String(affected)} of ${String(sessions)} sessions differ under knowledge ${knowledgeText(knowledge)}; decisions: ${countsText(counts)}`,
  ...(rules.length === 0
    ? []
    : tableLines([
        ['RULE', 'SESSIONS', 'CYCLES', 'BEFORE → AFTER'],
        ...rules.map((one) => [one.rule, String(one.ids.length), String(one.cycles), changesText(one)]),
      ])),
  ...rules.flatMap((one) => [`${one.rule}:`, `  ${idsText(one)}`]),
  ...(undetermined.length === 0
    ? []
    : tableLines([['UNDETERMINED', 'REASON'], ...undetermined.map(({ reason, cycles }) => [String(cycles), reason])])),
];

const shadow: Action<ShadowOptions> = async (context, _, { since, until, knowledge }) => {
  // Only an administrator sees all sessions: other users are rejected here.
  await context.client.json('GET /v1/admin/status');
  const { cwd, knowledgeFolder } = context.terminal;
  const range = { since, ...(until !== undefined && { until }) };
  const folder = knowledge === undefined ? knowledgeFolder : resolve(cwd, knowledge);
  const report = await loadJudge().judgeSessions(context, range, folder);
  context.print(report, () => shadowLines(report));
};

export const addShadow = (admin: Command, connect: Connect): void => {
  connect<ShadowOptions>(
    admin
      .command('shadow')
      .summary('test changed knowledge on past sessions')
      .description(
        'Repeats the decisions of all sessions with the knowledge in a folder, and groups the differences by rule. ' +
          'The sessions are read from the gateway and evaluated in this process. No session is changed and no language model is called.',
      )
      .requiredOption('--since <date>', 'sessions submitted at or after this time (ISO 8601)')
      .option('--until <date>', 'sessions submitted before this time')
      .option(
        '--knowledge <folder>',
        'the knowledge to judge; without it, FLEET_KNOWLEDGE_DIR or the one shipped with phx',
      )
      .addHelpText('after', '\nExample:\n  phx admin shadow --since 2026-11-01 --knowledge ./knowledge'),
    shadow,
  );
};
