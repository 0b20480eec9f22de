/** Only these lines at the top are a program's own head; what stands further down may be about any program. */
const headLines = 20;

/** Lines by which a log says itself whose it is. */
const statements: readonly RegExp[] = [
  // The open programs: who stands in for whom.
  /^open-phenix \S+: (?<program>\S+) is (?:run|SIMULATED) here\b/,
  // PHENIX's program template, alone or in the window of its agent.
  /^(?:LOG TEXT: )?\*{0,2}Starting (?<program>phenix\.\w+) *\*{0,2}$/,
  // The header of the PHENIX AI Agent.
  /^COMMAND THAT WAS RUN: (?<program>phenix\.\w+)(?:\s|$)/,
];

/**
 * The program that a log's head line names. Nothing else is looked at: logs mention other programs all the time.
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
