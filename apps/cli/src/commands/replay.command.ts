import type { Command } from 'commander';
import { replayLines } from '../output/replay-lines';
import { onSession, sessionArgument, type Action, type Connect } from '../command-context';

const replay: Action<object> = async (context, [id = '']) => {
  const found = await context.client.json('GET /v1/sessions/{id}/replay', { path: { id } });
  context.print(found, () => replayLines(found, context.paint));
};

export const addReplay = (program: Command, connect: Connect): void => {
  connect<object>(
    program
      .command('replay')
      .summary("repeat a session's decisions with today's knowledge base")
      .description(
        "Makes each decision of a session again from the cycles before it, under the gateway's knowledge, and shows where it differs and why. " +
          'Recorded choices of language models are reused. No model is called and nothing is changed.',
      )
      .argument('<id>', sessionArgument)
      .addHelpText('after', '\nExample:\n  phx replay 01jd7v9s6m2x4k8q0w5c3b1n7r'),
    onSession(replay),
  );
};
