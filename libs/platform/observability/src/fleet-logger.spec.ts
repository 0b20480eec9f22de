import { ConfigError } from '@fleet/config';
import { Fault } from '@fleet/contracts/faults';
import { FleetLogger } from './fleet-logger';

const linesOf = (format: 'json' | 'text', act: (logger: FleetLogger) => void): readonly string[] => {
  const lines: string[] = [];
  act(new FleetLogger({ level: 'info', format }, 'decision-worker', (line) => lines.push(line)));
  return lines;
};

describe('FleetLogger', () => {
  it('writes one JSON object per line with the fields of the call', () => {
    const [line = ''] = linesOf('json', (logger) =>
      logger.warn({ message: 'step failed', sessionId: 'x', cycle: 3 }, 'StepRunner'),
    );
    expect(JSON.parse(line)).toMatchObject({
      level: 'warn',
      service: 'decision-worker',
      message: 'step failed',
      sessionId: 'x',
      cycle: 3,
      context: 'StepRunner',
    });
  });

  it('keeps an entry on one line, whatever its content', () => {
    const lines = linesOf('json', (logger) => {
      logger.log('two\nlines', 'Context');
      logger.error(new Error('broken\nhere'));
      logger.log({ message: 'big', count: 10n, cause: new Error('x') });
    });
    expect(lines.every((line) => !line.includes('\n'))).toBe(true);
    expect(lines.map((line) => (JSON.parse(line) as { message: string }).message)).toEqual([
      'two\nlines',
      'broken\nhere',
      'big',
    ]);
  });

  it("leaves out messages below its level, and the framework's wiring messages", () => {
    const lines = linesOf('text', (logger) => {
      logger.debug('detail');
      logger.verbose('more detail');
      logger.log('AppModule dependencies initialized', 'InstanceLoader');
      logger.log('ready', 'Worker');
    });
    expect(lines).toEqual([expect.stringMatching(/info {2}ready$/) as string]);
  });

  it('shows the stack of our own errors, but not of problems that others must fix', () => {
    const faults = [new Fault('a.bug', 'bug', 'x'), new Fault('a.mistake', 'caller', 'x'), new ConfigError([])];
    const lines = linesOf('json', (logger) => {
      for (const fault of faults) logger.error(fault, undefined, 'ExceptionHandler');
    });
    expect(lines.map((line) => line.includes('"stack":'))).toEqual([true, false, false]);
  });

  it('writes readable lines', () => {
    const [line] = linesOf('text', (logger) =>
      logger.error(
        { message: 'step failed', sessionId: 'x', missing: undefined, stack: 'Error: x\n  at y' },
        'StepRunner',
      ),
    );
    expect(line).toMatch(/^\d\d:\d\d:\d\d error step failed \(sessionId=x\)\nError: x\n {2}at y$/);
  });
});
