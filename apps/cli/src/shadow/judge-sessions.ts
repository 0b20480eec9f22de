import type { Replay } from '@fleet/contracts/results';
import type { ProgramCatalogue, ProgramsView } from '@fleet/contracts/service';
import { replayer } from '@fleet/decision-graph';
import type { CommandContext } from '../command-context';
import { openRuleBook } from '../offline/open-knowledge';
import { groupReplays, type ShadowReport } from './group-replays';

const sessionsPerPage = 500;
/** Number of sessions fetched in parallel. */
const fetchedAtOnce = 8;

/** Sessions by their submission time, ISO 8601. */
export interface ShadowRange {
  readonly since: string;
  readonly until?: string;
}

/** The parts of a catalogue that decisions need; commands are for executors only. */
const catalogueOf = ({ backend, probedAt, programs }: ProgramsView): ProgramCatalogue => ({
  backend,
  probedAt: probedAt ?? '',
  programs: programs.flatMap(({ program, provider, version }) =>
    provider === undefined ? [] : [{ program, provider, version: version ?? '', command: [] }],
  ),
  withheld: programs.flatMap(({ program, withheld }) => (withheld === undefined ? [] : [{ program, why: withheld }])),
});

async function* idsOf({ client }: CommandContext, range: ShadowRange): AsyncGenerator<readonly string[]> {
  let cursor: string | undefined;
  do {
    const query = { ...range, limit: sessionsPerPage, sort: 'created', cursor } as const;
    const page = await client.json('GET /v1/sessions', { query });
    const ids = page.sessions.map(({ id }) => id);
    for (let at = 0; at < ids.length; at += fetchedAtOnce) yield ids.slice(at, at + fetchedAtOnce);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

/**
 * Replays all sessions of a range in this process, with the knowledge of a folder. Only reads from the gateway.
 * @throws CliError `usage` for invalid knowledge, or the error of a request
 */
export const judgeSessions = async (
  context: CommandContext,
  range: ShadowRange,
  knowledgeFolder: string | undefined,
): Promise<ShadowReport> => {
  const ruleBook = openRuleBook({ knowledgeFolder });
  const catalogue = catalogueOf(await context.client.json('GET /v1/programs'));
  const replay = replayer(ruleBook);
  const replays: Replay[] = [];
  for await (const ids of idsOf(context, range))
    replays.push(...(await Promise.all(ids.map(async (id) => replay(await context.client.session(id), catalogue)))));
  return groupReplays(ruleBook.digest, replays);
};
