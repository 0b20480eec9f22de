import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { FleetLogger } from '@fleet/observability';
import { plainLine, plainLines, shownText } from '@fleet/session-report';
import { aCycle, anEvent, aNewSession, anId, useStarted } from '@fleet/testing';
import { CliHarness } from '../cli/cli-harness';

/** Terminal controls, bidirectional marks, invisible characters and line ends. */
const tricks = [
  ...Array.from({ length: 32 }, (_, code) => code).filter((code) => code !== 10 && code !== 9),
  ...Array.from({ length: 33 }, (_, index) => 0x7f + index),
  ...[0xad, 0x61c, 0x180e, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202d, 0x202e, 0x2060],
  ...[0x2066, 0x2067, 0x2068, 0x2069, 0xfeff, 0xfff9, 0x115f, 0x3164, 0xffa0, 0xe0001, 0xe0041],
];
const hidden = new RegExp(`[${tricks.map((code) => `\\u{${code.toString(16)}}`).join('')}]`, 'u');
const nasty = `a${tricks
  .filter((code) => code !== 0)
  .map((code) => String.fromCodePoint(code))
  .join('b')}c\u001b[8m\u001b]0;title\u0007`;

describe('hidden characters', () => {
  it.each(tricks)('are shown escaped: %d', (code) => {
    const text = `a${String.fromCodePoint(code)}b`;
    expect(shownText(text)).toMatch(/^a(?:\\u[0-9a-f]{4}){1,2}b$/);
    expect(plainLine(text)).toBe(shownText(text));
    expect(JSON.parse(`"${shownText(text)}"`)).toBe(text);
  });

  it('leave lines and tabs of a log, and no half characters', () => {
    expect(plainLines('a\r\n\tb\n')).toBe('a\n\tb\n');
    expect(plainLines('a\rb')).toBe(String.raw`a\u000db`);
    expect(plainLine('a\ud800b')).toBe(String.raw`a\ud800b`);
  });
});

describe('what phx prints on a terminal', () => {
  let id: string;
  const cli = useStarted('file', () => CliHarness.start());
  beforeAll(async () => {
    id = anId();
    const session = aNewSession({ id, folder: cli.folderOf(id) });
    const request = { ...session.request, title: nasty, advice: nasty, submitter: nasty };
    const events = [anEvent({ type: 'session_submitted', message: nasty })];
    await cli.gateway.store.records.create({ ...session, request }, events, 1000);
    const record = aCycle();
    const result = record.result ?? {
      outcome: 'failed',
      summary: '',
      errorLines: [],
      metrics: [],
      outputs: [],
      analysedAt: '',
    };
    await cli.runCycle(id, {
      ...record,
      decision: { ...record.decision, reasoning: nasty, argv: ['phenix.refine', `/data/${nasty}`] },
      result: { ...result, summary: nasty, errorLines: [nasty] },
    });
    mkdirSync(dirname(cli.logOf(id)), { recursive: true });
    writeFileSync(cli.logOf(id), `${nasty}\n`);
    await cli.end(id, 'no_program');
  });

  it.each([['list'], ['show'], ['watch'], ['logs'], ['results']])(
    'obeys no title, name, message or log: %s',
    async (command) => {
      const args = command === 'list' ? [command] : [command, id];
      for (const ran of [await cli.phx(args, { live: true }), await cli.phx([...args, '--json'], { live: true })]) {
        expect(ran.out).not.toMatch(hidden);
        expect(ran.err).not.toMatch(hidden);
      }
    },
  );

  it('is JSON with the original text for programs', async () => {
    const { out } = await cli.phx(['show', id, '--json']);
    expect((JSON.parse(out) as { request: { title: string } }).request.title).toBe(nasty);
    expect(out).not.toMatch(hidden);
  });

  it('shows the sent text in an error, escaped', async () => {
    const { err } = await cli.phx(['show', `x${nasty}`]);
    expect(err).not.toMatch(hidden);
  });
});

describe('the log of a service', () => {
  it.each(['json', 'text'] as const)('contains no hidden character and no injected line: %s', (format) => {
    const lines: string[] = [];
    const logger = new FleetLogger({ level: 'info', format }, 'gateway', (line) => lines.push(line));
    logger.warn({ message: `${nasty}\n08:15:02 error all is lost`, title: `${nasty}\nx` });
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toMatch(hidden);
    expect(lines[0]).not.toContain('\n');
  });
});
