/** Keeps only the last lines of a log. */
export class LogTail {
  private readonly lines: string[] = [];
  private next = 0;

  constructor(
    private readonly size: number,
    private readonly width: number,
  ) {}

  add(line: string): void {
    this.lines[this.next] = line.length > this.width ? `${line.slice(0, this.width)} …` : line;
    this.next = (this.next + 1) % this.size;
  }

  /** Oldest first. */
  read(): readonly string[] {
    const full = this.lines.length === this.size;
    return full ? [...this.lines.slice(this.next), ...this.lines.slice(0, this.next)] : [...this.lines];
  }
}
