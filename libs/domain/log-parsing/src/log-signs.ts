import { knownErrorIn, type ErrorKnowledge } from '@fleet/knowledge-model';
import { escaped } from './line-dispatch';

/** Lines that are kept of one statement, from the line that begins it: the list of what can be chosen belongs to it. */
const statementLines = 20;

/** What else than the end of a log tells how a run went. */
export interface Signs {
  /** Lines of each error that a recovery knows, wherever in the log it stands; the newest of each kind, the newest last. */
  readonly statements: readonly (readonly string[])[];
  /** What should stand at the end, where a program began that says so when it is through. */
  readonly awaited?: readonly string[];
}

type SignKnowledge = Pick<ErrorKnowledge, 'known' | 'recoverable' | 'endings'>;

/** A sentence may be broken over lines anywhere, but hardly after its first word. */
const beginning = (text: string): string => text.split(' ').slice(0, 2).join(' ');

interface Watched {
  readonly id: string;
  readonly begins: RegExp;
  readonly knowledge: Pick<ErrorKnowledge, 'known'>;
}

/** What is looked for in the logs of one program, compiled. */
export class SignFormat {
  readonly watched: readonly Watched[];
  /** As those of a reader: a word of every line with which a statement or a program begins. */
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
 * Looks through a whole log for the errors after which a program is tried again: their words may stand far from its end. Of each kind of error
 * the newest statement is kept, so that memory stays flat.
 */
export class LogSigns {
  private readonly open = new Map<Watched, string[]>();
  private readonly statements = new Map<string, readonly string[]>();
  private awaited: readonly string[] | undefined;

  constructor(private readonly format: SignFormat) {}

  /** Every line, so that an open statement continues. */
  follow(text: string): void {
    if (this.open.size === 0) return;
    for (const [watched, lines] of this.open) {
      lines.push(text);
      if (lines.length === statementLines) this.close(watched, lines);
    }
  }

  /** A line with a trigger, after `follow`. */
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
