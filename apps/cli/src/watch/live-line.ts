import { durationText, plainLine } from '@fleet/session-report';
import type { Paint, Terminal } from '../terminal';

const clear = '\r\u001b[2K';

/** The running program. */
export interface Running {
  readonly program: string;
  readonly cycle: number;
  readonly attempt: number;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

/** The line at the bottom of a terminal that is rewritten in place; inactive in a pipe. */
export class LiveLine {
  private visible = false;

  constructor(
    private readonly terminal: Terminal,
    private readonly paint: Paint,
  ) {}

  show(running: Running, lastLogLine: string, now: number): void {
    if (!this.terminal.live) return;
    const head = `  ${running.program} ${durationText(now - running.startedAt)}`;
    const room = Math.max(0, this.terminal.columns() - head.length - 4);
    const tail = plainLine(lastLogLine.trim()).slice(0, room);
    this.terminal.out(`${clear}${this.paint('cyan', head)}  ${this.paint('dim', tail)}`);
    this.visible = true;
  }

  /** Called before anything else is printed. */
  hide(): void {
    if (this.visible) this.terminal.out(clear);
    this.visible = false;
  }
}
