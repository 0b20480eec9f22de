/** Only these lines at the top are a program's own head; later lines may concern any program. */
const headLines = 20;

/** Lines with which a log states its program. */
const statements: readonly RegExp[] = [
  // The open programs: which program replaces which.
  /^open-phenix \S+: (?<program>\S+) is (?:run|SIMULATED) here\b/,
  // PHENIX's program template, by itself or in its agent's window.
  /^(?:LOG TEXT: )?\*{0,2}Starting (?<program>phenix\.\w+) *\*{0,2}$/,
  // The header of the PHENIX AI Agent.
  /^COMMAND THAT WAS RUN: (?<program>phenix\.\w+)(?:\s|$)/,
];

/**
 * The program in a log's head line. Later lines are ignored, because logs often mention other programs.
 * @param head the beginning of the log
 */
export const statedProgram = (head: string): string | undefined => {
  for (const line of head.split(/\r?\n/, headLines)) {
    for (const statement of statements) {
      const program = statement.exec(line.trim())?.groups?.program;
      if (program !== undefined) return program;
    }
  }
  return undefined;
};
