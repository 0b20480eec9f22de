import { isEnded, type CycleRecord, type Session } from '@fleet/contracts/sessions';
import { patiently, reconnectionOf } from '../client/session-events';
import type { CommandContext } from '../command-context';
import { followLog, pollMs, type Launch } from './print-log';

export const loadSession = ({ client }: CommandContext, id: string): Promise<Session> => client.session(id);

export const recordOf = ({ cycles }: Session, number: number): CycleRecord | undefined =>
  cycles.find(({ cycle }) => cycle === number);

/** The position before the last launch of the last cycle, or of the given one. */
const beginningOf = (session: Session, only: number | undefined): Pick<Launch, 'cycle' | 'attempt'> => {
  const cycle = only ?? session.cycles.at(-1)?.cycle ?? 0;
  const last = recordOf(session, cycle)?.attempts.at(-1);
  return { cycle, attempt: (last?.attempt ?? 1) - 1 };
};

/** The first launch after this position; cycle numbers may have gaps, because cycles can be removed from the record. */
const launchAfter = (
  { cycles }: Session,
  position: Pick<Launch, 'cycle' | 'attempt'>,
  only: number | undefined,
): Launch | undefined =>
  cycles
    .filter(({ cycle }) => (only === undefined ? cycle >= position.cycle : cycle === only))
    .flatMap(({ cycle, decision: { program }, attempts }) =>
      attempts.map(({ attempt }) => ({ cycle, program, attempt })),
    )
    .find(({ cycle, attempt }) => cycle > position.cycle || attempt > position.attempt);

const isOver = (session: Session, only: number | undefined): boolean =>
  isEnded(session.status) || (only !== undefined && recordOf(session, only)?.result !== undefined);

/**
 * Prints the launches in sequence until the session, or the given cycle, has ended.
 * @throws CliError if the session is missing, or the gateway stays down for too long
 */
export const followSession = async (context: CommandContext, id: string, only: number | undefined): Promise<void> => {
  const { client, terminal } = context;
  let session = await loadSession(context, id);
  let position = beginningOf(session, only);
  for (;;) {
    const launch = launchAfter(session, position, only);
    if (launch !== undefined) {
      await followLog(context, id, launch);
      position = launch;
    } else if (isOver(session, only)) return;
    else await terminal.pause(pollMs);
    session = await patiently(client, () => loadSession(context, id), reconnectionOf(terminal));
  }
};
