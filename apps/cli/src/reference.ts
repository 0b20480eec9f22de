import type { Command } from 'commander';

/** docs/cli.md: the help of every command, as it is printed. Afterwards the program itself prints nothing. */
export const commandReference = (program: Command): string => {
  const sections = commandsOf(program).map(
    ({ name, command }) => `## phx ${name}\n\n\`\`\`text\n${helpOf(command)}\n\`\`\``,
  );
  return (
    [
      '# phx, the command line client',
      'Generated from the program. Regenerate it with `phx --reference > docs/cli.md`.',
      `\`\`\`text\n${helpOf(program)}\n\`\`\``,
      ...sections,
      '',
    ]
      .join('\n\n')
      .trimEnd() + '\n'
  );
};

interface NamedCommand {
  readonly name: string;
  readonly command: Command;
}

/** A command, followed by its subcommands. */
const commandsOf = (parent: Command, prefix = ''): readonly NamedCommand[] =>
  parent.commands
    .filter((command) => command.name() !== 'help')
    .flatMap((command) => {
      const name = `${prefix}${command.name()}`;
      return [{ name, command }, ...commandsOf(command, `${name} `)];
    });

/** Help including added text, which commander only prints. */
const helpOf = (command: Command): string => {
  let text = '';
  command.configureOutput({
    writeOut: (piece) => {
      text += piece;
    },
    getOutHelpWidth: () => 100,
    getOutHasColors: () => false,
  });
  command.outputHelp();
  return text.trimEnd();
};
