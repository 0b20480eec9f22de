import type { Command } from 'commander';
import type { PromptsView, PromptView } from '@fleet/contracts/results';
import { plainLine, plainLines } from '@fleet/session-report';
import { redacted } from '../bundle/redacted';
import { CliError } from '../cli-error';
import { exitCodes } from '../exit-codes';
import type { Paint } from '../terminal';
import { onSession, sessionArgument, type Action, type Connect } from '../command-context';

const headline = ({ prompt, hash, used, requests }: PromptView): string =>
  `${prompt}, ${hash.slice(0, 16)}, requests: ${String(requests)}${used ? ', followed' : ''}`;

const part = (paint: Paint, name: string, text: string): readonly string[] => [
  '',
  paint('bold', plainLine(`── ${name} ──`)),
  ...plainLines(text).split('\n'),
];

/** Why a prompt is not shown. */
const missingLine = ({ messages, reply }: PromptView): readonly string[] => {
  if (messages !== undefined) return [];
  return [
    reply === undefined
      ? 'Neither the prompt nor the reply is stored.'
      : 'The release that sent this prompt did not store it.',
  ];
};

const replyLines = ({ reply, target = '', model = '', cut }: PromptView, paint: Paint): readonly string[] =>
  reply === undefined ? [] : part(paint, `reply of ${target} (${model})${cut === true ? ', cut off' : ''}`, reply);

const promptLines = (view: PromptView, paint: Paint): readonly string[] => [
  paint('bold', plainLine(headline(view))),
  ...missingLine(view),
  ...(view.messages ?? []).flatMap(({ role, text }) => part(paint, role, text)),
  ...replyLines(view, paint),
];

const prompt: Action<object> = async (context, [id = '', cycle = '']) => {
  const recorded = await context.client.json('GET /v1/sessions/{id}/cycles/{cycle}/prompts', { path: { id, cycle } });
  const view = redacted(recorded) as PromptsView;
  if (view.prompts.length === 0 && !context.json)
    throw new CliError(exitCodes.notFound, `No model was asked in cycle ${cycle} of session ${id}.`);
  context.print(view, () =>
    view.prompts.flatMap((one, at) => [...(at === 0 ? [] : ['']), ...promptLines(one, context.paint)]),
  );
};

export const addPrompt = (program: Command, connect: Connect): void => {
  connect<object>(
    program
      .command('prompt')
      .summary('show the prompts and replies of models in a cycle')
      .description(
        'Prints each prompt to a model in one cycle and its reply, verbatim except for keys, tokens and passwords, which are removed. Exits with 4 if no model was asked.',
      )
      .argument('<id>', sessionArgument)
      .argument('<cycle>', 'number of the cycle')
      .addHelpText('after', '\nExample:\n  phx prompt 01jd7v9s6m2x4k8q0w5c3b1n7r 3'),
    onSession(prompt),
  );
};
