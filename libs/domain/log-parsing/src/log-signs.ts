import { knownErrorIn, type ErrorKnowledge } from '@fleet/knowledge-model';
import { escaped } from './line-dispatch';

/** Maximum number of lines of one statement: the list of choices after its first line belongs to it. */
const statementLines = 20;

/** Signs about a run in a log besides its end. */
export interface Signs {
  /** Lines of each error with a known recovery, anywhere in the log; the newest of each kind, the newest last. */
  readonly statements: readonly (readonly string[])[];
  /** The expected end, if a program began that prints one. */
  readonly awaited?: readonly string[];
}

type SignKnowledge = Pick<ErrorKnowledge, 'known' | 'recoverable' | 'endings'>;

/** A sentence may be broken over lines anywhere, but rarely after its first word. */
const beginning = (text: string): string => text.split(' ').slice(0, 2).join(' ');

interface Watched {
  readonly id: string;
  readonly begins: RegExp;
  readonly knowledge: Pick<ErrorKnowledge, 'known'>;
}

/** The compiled signs for the logs of one program. */
export class SignFormat {
  readonly watched: readonly Watched[];
  /** As for a reader: texts of the lines that begin a statement or a program. */
  readonly triggers: readonly string[];
  private readonly any: RegExp;

  constructor(
    readonly program: string,
    readonly knowledge: SignKnowledge,
  ) {
    const recoverable = new Set(knowledge.recoverable.map(({ id }) => id));
    const known = knowledge.known.filter(
      ({ id, programs }) => recoverable.has(id) && programs?.includes(program) !== false,
    );
    this.watched = known.map((error) => ({
      id: error.id,
      begins: new RegExp(error.text.map((text) => escaped(beginning(text))).join('|')),
      knowledge: { known: [error] },
    }));
    const beginnings = known.flatMap(({ text }) => text.map(beginning));
    this.triggers = [...beginnings, ...knowledge.endings.map(({ begins }) => begins)];
    this.any = new RegExp(this.triggers.map(escaped).join('|') || '(?!)');
  }

  isIn(text: string): boolean {
    return this.any.test(text);
  }
}

/**
 * Searches a whole log for errors with a known recovery, which may be far from its end. Only the newest statement of each kind is kept, so
 * memory stays constant.
 */
export class LogSigns {
  private readonly open = new Map<Watched, string[]>();
  private readonly statements = new Map<string, readonly string[]>();
  private awaited: readonly string[] | undefined;

  constructor(private readonly format: SignFormat) {}

  /** Called for every line, to continue an open statement. */
  follow(text: string): void {
    if (this.open.size === 0) return;
    for (const [watched, lines] of this.open) {
      lines.push(text);
      if (lines.length === statementLines) this.close(watched, lines);
    }
  }

  /** Called for a line with a trigger, after `follow`. */
  begin(text: string): void {
    if (!this.format.isIn(text)) return;
    for (const watched of this.format.watched)
      if (!this.open.has(watched) && watched.begins.test(text)) this.open.set(watched, [text]);
    const line = text.trimStart();
    this.awaited = this.format.knowledge.endings.find(({ begins }) => line.startsWith(begins))?.ends ?? this.awaited;
  }

  end(): Signs {
    for (const [watched, lines] of this.open) this.close(watched, lines);
    const statements = [...this.statements.values()];
    return { statements, ...(this.awaited !== undefined && { awaited: this.awaited }) };
  }

  private close(watched: Watched, lines: readonly string[]): void {
    this.open.delete(watched);
    if (knownErrorIn(lines, this.format.program, watched.knowledge) === undefined) return;
    this.statements.delete(watched.id);
    this.statements.set(watched.id, lines);
  }
}
