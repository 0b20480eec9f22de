import { shownWindows } from '@fleet/contracts/maintenance';
import { maintenanceSentence } from '@fleet/session-report';
import { isCliError } from '../cli-error';
import type { Action, CommandContext } from '../command-context';

const noticeLines = async ({ client }: CommandContext): Promise<readonly string[]> => {
  const now = Date.now();
  try {
    const { windows } = await client.json('GET /v1/maintenance');
    return shownWindows(windows, now).map((window) => maintenanceSentence(window, now));
  } catch (error) {
    // The command itself succeeded, so a missing notice is not an error.
    if (isCliError(error)) return [];
    throw error;
  }
};

/** Wraps an action: if it succeeded, announced or current maintenance is printed after it; not with --json. */
export const announcing =
  <Options>(action: Action<Options>): Action<Options> =>
  async (context, operands, options) => {
    const code = await action(context, operands, options);
    const lines = context.json || code ? [] : await noticeLines(context);
    for (const line of lines) context.terminal.err(`${context.paint('yellow', line)}\n`);
    return code;
  };
