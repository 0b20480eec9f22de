import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attemptFiles, attemptFolder, cycleFolder } from '@fleet/contracts/runs';
import {
  aCycle,
  aDecision,
  aFile,
  anAttempt,
  anEvent,
  anId,
  aNewSession,
  aRequest,
  aResult,
  someSettings,
} from '@fleet/testing';
import type { ShownBrowser } from './shown-browser';
import { hostile } from './shown-sessions';

/** A name of a file that a page would carry out. */
export const hostileName = `<img src=x onerror="document.title='owned'">.pdb`;
/** The line of the log that has its R-free. */
export const measuredLine = 1234;

/** Events before those that a card shows: more than one answer has. */
const earlier = 5_200;

/** A session in which everything that comes from outside wants to be carried out. @returns its id */
export const hostileSession = async (shown: ShownBrowser): Promise<string> => {
  const id = anId();
  const program = 'phenix.refine';
  const folder = join(shown.gateway.root, 'work/mx1234', id);
  const attempt = join(folder, attemptFolder(cycleFolder(1, program), 1));
  const made = join(attempt, hostileName);
  mkdirSync(attempt, { recursive: true });
  writeFileSync(made, `TITLE     ${hostile}\n`);
  const lines = Array.from({ length: 4000 }, (_, at) =>
    at + 1 === measuredLine ? `R-free = 0.2301 ${hostile}` : `  line ${String(at + 1)}`,
  );
  writeFileSync(join(attempt, attemptFiles.log), lines.join('\n'));
  const argv = [program, made, `output.prefix=${hostile}`];
  const measured = aResult({ summary: `R-free 0.2301 ${hostile}`, errorLines: [`Sorry: ${hostile}`] });
  const cycle = aCycle({
    cycle: 1,
    decision: aDecision({
      program,
      argv,
      reasoning: hostile,
      notOffered: [{ program: 'phenix.phaser', why: hostile }],
      inputs: [{ slot: 'model', path: `/data/${hostileName}` }],
    }),
    attempts: [anAttempt({ programVersion: `Servalcat ${hostile}` })],
    result: {
      ...measured,
      metrics: [{ name: 'r_free', value: 0.2301, line: measuredLine, pattern: 'r_free' }],
      outputs: [
        aFile({
          path: made,
          size: 12,
          cycle: 1,
          program,
          pin: { inode: '1', size: 12, modified: '1', sha256: 'ab12'.repeat(16) },
          facts: { format: 'pdb' },
        }),
      ],
    },
  });
  const tokens = [
    { token: argv[0]!, source: 'program', detail: 'refinement' },
    { token: argv[1]!, source: 'slot', detail: 'model: the best file of model' },
    { token: argv[2]!, source: 'directive', detail: `prefix: ${hostile}` },
  ];
  const request = aRequest({
    title: `A session ${hostile}`,
    proposal: 'mx1234',
    advice: hostile,
    inputs: [aFile({ path: `/data/${hostileName}`, facts: { format: 'pdb' } })],
    settings: someSettings(),
  });
  const stop = { reason: 'converged', detail: hostile, afterCycle: 1 } as const;
  const resume = { status: 'completed', stage: 'deciding', cycle: 1, attempt: 1, cycles: [cycle], stop } as const;
  await shown.store.records.create(
    aNewSession({ id, folder, request, resume }),
    [
      anEvent({ cycle: 0, message: 'submitted' }),
      ...Array.from({ length: earlier }, () => anEvent({ cycle: 1, type: 'debug' })),
      anEvent({ cycle: 1, type: 'command_built', message: argv.join(' '), data: { argv, tokens } }),
      anEvent({ cycle: 1, type: 'warning', message: hostile }),
    ],
    3_600_000,
  );
  return id;
};
