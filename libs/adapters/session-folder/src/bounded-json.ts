/** Limits for an untrusted JSON text. */
export interface JsonBounds {
  /** Nesting depth of objects and arrays. */
  readonly deepest: number;
  /** Values of any kind. */
  readonly maxValues: number;
}

const string = /"(?:[^"\\]|\\.)*"/sy;

/** Members of the open objects, innermost last; undefined for an array. */
type Open = (Set<string> | undefined)[];

class Scan {
  private at = 0;
  private values = 0;
  private readonly open: Open = [];

  constructor(
    private readonly text: string,
    private readonly bounds: JsonBounds,
  ) {}

  /** Reads every character once. */
  run(): string | undefined {
    for (; this.at < this.text.length; this.at += 1) {
      const problem = this.step(this.text.charAt(this.at));
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  private step(character: string): string | undefined {
    switch (character) {
      case '{':
      case '[':
        this.open.push(character === '{' ? new Set() : undefined);
        return this.open.length > this.bounds.deepest
          ? `holds values more than ${String(this.bounds.deepest)} levels deep`
          : undefined;
      case '}':
      case ']':
        this.open.pop();
        return undefined;
      case ',':
        this.values += 1;
        return this.values > this.bounds.maxValues
          ? `holds more than ${String(this.bounds.maxValues)} values`
          : undefined;
      case '"':
        return this.string();
      default:
        return undefined;
    }
  }

  private string(): string | undefined {
    string.lastIndex = this.at;
    const [found] = string.exec(this.text) ?? [];
    if (found === undefined) return 'is truncated inside a string';
    this.at += found.length - 1;
    const members = this.open.at(-1);
    if (members === undefined || !/^\s*:/.test(this.text.slice(this.at + 1, this.at + 33))) return undefined;
    return this.member(found, members);
  }

  private member(quoted: string, members: Set<string>): string | undefined {
    let name: string;
    try {
      name = JSON.parse(quoted) as string;
    } catch (error) {
      if (error instanceof SyntaxError) return 'contains a text that is not JSON';
      throw error;
    }
    if (name === '__proto__') return 'has a member named __proto__';
    if (members.has(name)) return `has the member ${JSON.stringify(name.slice(0, 100))} twice in one object`;
    members.add(name);
    return undefined;
  }
}

/**
 * Why a JSON text is rejected before parsing: too deep, too many values, or a duplicate member (so that two parsers may
 * differ). Undefined if it is acceptable. In linear time.
 */
export const jsonProblem = (text: string, bounds: JsonBounds): string | undefined => new Scan(text, bounds).run();
