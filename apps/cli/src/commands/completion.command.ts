import { Argument, type Command } from 'commander';
import { exitCodes } from '../exit-codes';
import type { Connect } from '../command-context';

interface CommandWords {
  readonly command: string;
  readonly summary: string;
  /** Of `admin` and similar commands. */
  readonly subcommands: readonly string[];
  readonly options: readonly string[];
}

const optionsOf = (command: Command): readonly string[] =>
  command.options.flatMap(({ long }) => (typeof long === 'string' ? [long] : []));

const wordsOf = (program: Command): readonly CommandWords[] =>
  program.commands.map((command) => ({
    command: command.name(),
    summary: command.summary(),
    subcommands: command.commands.map((subcommand) => subcommand.name()),
    options: [...new Set([command, ...command.commands, program].flatMap((each) => optionsOf(each))), '--help'],
  }));

/** All words that may follow a command. */
const followersOf = ({ subcommands, options }: CommandWords): string => [...subcommands, ...options].join(' ');

const bash = (words: readonly CommandWords[]): string => `_phx() {
  local current="\${COMP_WORDS[COMP_CWORD]}" command="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in ${words.map(({ command }) => command).join('|')}) command="$word"; break ;; esac
  done
  case "$command" in
    "") COMPREPLY=($(compgen -W "${words.map(({ command }) => command).join(' ')}" -- "$current")) ;;
${words.map((each) => `    ${each.command}) COMPREPLY=($(compgen -W "${followersOf(each)}" -- "$current")) ;;`).join('\n')}
  esac
}
complete -o default -F _phx phx
`;

const zsh = (words: readonly CommandWords[]): string => `#compdef phx
_phx() {
  local -a commands
  commands=(
${words.map(({ command, summary }) => `    '${command}:${summary.replaceAll("'", "'\\''")}'`).join('\n')}
  )
  if (( CURRENT == 2 )); then _describe command commands; return; fi
  case "\${words[2]}" in
${words.map((each) => `    ${each.command}) compadd -- ${followersOf(each)}; _files ;;`).join('\n')}
  esac
}
compdef _phx phx
`;

const fish = (words: readonly CommandWords[]): string =>
  [
    ...words.map(
      ({ command, summary }) =>
        `complete -c phx -n __fish_use_subcommand -f -a ${command} -d '${summary.replaceAll("'", "\\'")}'`,
    ),
    ...words
      .filter(({ subcommands }) => subcommands.length > 0)
      .map(
        ({ command, subcommands }) =>
          `complete -c phx -n '__fish_seen_subcommand_from ${command}' -f -a '${subcommands.join(' ')}'`,
      ),
    ...words.flatMap(({ command, options }) =>
      options.map((option) => `complete -c phx -n '__fish_seen_subcommand_from ${command}' -l ${option.slice(2)}`),
    ),
    '',
  ].join('\n');

const scripts: Readonly<Record<string, (words: readonly CommandWords[]) => string>> = { bash, zsh, fish };

export const addCompletion = (program: Command, connect: Connect): void => {
  const command = program
    .command('completion')
    .summary('print a completion script for your shell')
    .addArgument(new Argument('<shell>').choices(Object.keys(scripts)))
    .addHelpText(
      'after',
      '\nExample:\n  source <(phx completion bash)\n  phx completion fish > ~/.config/fish/completions/phx.fish',
    );
  connect(command, ({ terminal }, [shell = '']) => {
    terminal.out(scripts[shell]?.(wordsOf(program)) ?? '');
    return Promise.resolve(exitCodes.ok);
  });
};
