import { eventOf } from '../event-of';
import type { DecisionNode } from '../state';

/** Tells what was decided: the files with their reasons and the command, or the stop. */
export const makeOutput =
  (): DecisionNode =>
  ({ input, draft: { stop, command, choice } }) => {
    if (stop !== undefined) return { events: [eventOf(input, 'stop_decision', stop.detail, { reason: stop.reason })] };
    if (command === undefined || choice === undefined) return {};
    const files = command.inputs.map(({ slot, file, why }) => ({ slot: slot.slot, path: file.path, why }));
    return {
      events: [
        eventOf(input, 'files_selected', `${files.length} file(s) for ${choice.program}`, { files }),
        eventOf(input, 'command_built', command.argv.join(' '), {
          argv: command.argv,
          tokens: command.tokens.map(({ token, source, detail }) => ({ token, source, detail })),
        }),
      ],
    };
  };
