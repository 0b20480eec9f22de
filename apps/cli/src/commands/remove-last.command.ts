import { InvalidArgumentError, type Command } from 'commander';
import { onSession, sessionArgument, type Action, type Connect } from '../command-context';

const removeLast: Action<object> = async (context, [id = '', count = '']) => {
  const path = { id };
  // The ETag of the current state: a request that arrives twice must not remove twice as much.
  const tag = (await context.client.open('GET /v1/sessions/{id}/status', { path })).headers.get('etag');
  const session = await context.client.json(
    'POST /v1/sessions/{id}/remove-last-cycles',
    { path, body: { count: Number(count) } },
    { headers: tag === null ? {} : { 'if-match': tag } },
  );
  context.print(session, () => {
    const left = session.cycles.map(({ cycle, decision }) => `  ${String(cycle)}  ${decision.program}`);
    return [
      `${session.id}: ${session.stop?.detail ?? session.status}`,
      ...(left.length === 0 ? ['No cycles remain.'] : ['Remaining cycles:', ...left]),
      `Resume with: phx resume ${session.id}`,
    ];
  });
};

const readCount = (text: string): string => {
  if (/^[1-9]\d{0,5}$/.test(text)) return text;
  throw new InvalidArgumentError('Expected a number from 1.');
};

export const addRemoveLast = (program: Command, connect: Connect): void => {
  const command = program
    .command('remove-last')
    .summary('remove the last cycles of an ended session')
    .description(
      'Removes the last N cycles from the record of an ended session. Best files, metrics and the summary are then derived from the remaining cycles. ' +
        'Files on disk are kept. An event records what was removed.',
    )
    .argument('<id>', sessionArgument)
    .argument('<n>', 'the number of cycles', readCount)
    .addHelpText(
      'after',
      '\nExample:\n  phx remove-last 01jd7v9s6m2x4k8q0w5c3b1n7r 2\n  phx resume 01jd7v9s6m2x4k8q0w5c3b1n7r --advice "try another ligand"',
    );
  connect<object>(command, onSession(removeLast));
};
