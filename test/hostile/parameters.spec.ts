import type { ProgramSettings } from '@fleet/contracts/guidance';
import type { StrategyValue } from '@fleet/contracts/schema';
import type { CycleRecord } from '@fleet/contracts/sessions';
import { buildDecisionApi, type DecideResponse } from '@fleet/decision-api';
import { buildDecisionGraph } from '@fleet/decision-graph';
import { systemClock } from '@fleet/ports';
import { aDecision, projectRules, ScriptedBackend, useStarted } from '@fleet/testing';
import { ruleBookKnowledge } from '../../apps/gateway/src/routes/results/rule-book-knowledge';
import { aModel, GatewayHarness } from '../api/gateway-harness';
import { useExecutors } from '../executor/executor-harness';

const newExecutor = useExecutors();

// An attacker who submits, calls the decision API or edits a session's record tries to reach outside the session through a parameter.

const ruleBook = projectRules();

/** A program, one of its parameters, and a value that must reach no command. */
type Attack = readonly [program: string, name: string, value: StrategyValue];

const attacks: readonly Attack[] = [
  ['phenix.refine', 'output_prefix', '/elsewhere/x'],
  ['phenix.refine', 'output_prefix', '../../../../victim/c001-refine/a1/x'],
  ['phenix.refine', 'output.prefix', '/elsewhere/x'],
  ['phenix.refine', 'output_prefix', 'mine'],
  ['phenix.real_space_refine', 'output_prefix', '/elsewhere/x'],
  ['phenix.pdbtools', 'output_name', '/elsewhere/x.pdb'],
  ['phenix.pdbtools', 'output.file_name', '/data/raw.mtz'],
  ['phenix.phaser', 'output_root', '/elsewhere/PHASER'],
  ['phenix.phaser', 'phaser.root', '/elsewhere/PHASER'],
  ['default', 'output_prefix', '/elsewhere/x'],
  ['phenix.refine', 'twin_law', 'h,-k,-l output.prefix=/elsewhere/x'],
  ['phenix.refine', 'twin_law', 'h,-k,-l\noutput.prefix=/elsewhere/x'],
  ['phenix.refine', 'twin_law', 'h,-k,-l;output.prefix=/elsewhere/x'],
  ['phenix.refine', 'obs_labels', 'FP,SIGFP\u2028output.prefix=/elsewhere/x'],
  ['phenix.refine', 'obs_labels', '/etc/passwd'],
  ['phenix.refine', 'space_group', 'P 1 } output { prefix = /elsewhere/x'],
  ['phenix.refine', 'unit_cell', '1e999 1 1 90 90 90'],
  ['phenix.refine', 'nproc', 100_000],
  ['phenix.refine', 'nproc', -1],
  ['phenix.refine', 'nproc', 1.5],
  ['phenix.refine', 'cycles', 1e9],
  ['phenix.refine', 'resolution', 0],
  ['phenix.refine', 'xray_data.r_free_flags.file_name', '/data/raw.mtz'],
  ['phenix.polder', 'selection', 'chain A $HOME'],
  ['phenix.polder', 'selection', 'chain A # resname'],
  ['phenix.polder', 'selection', 'chain A\\\noutput.prefix=x'],
  ['phenix.autosol', 'atom_type', '__import__("os").system("id")'],
  ['phenix.autosol', 'additional_atom_types', 'S;a=b'],
  ['phenix.predict_and_build', 'rebuilding_strategy', '../../x'],
  ['phenix.map_to_model', 'thoroughness', '/elsewhere'],
];

const settingsOf = ([program, name, value]: Attack): ProgramSettings => ({ [program]: { [name]: value } });

describe('hostile parameters of a submission', () => {
  let files: readonly string[];
  const gateway = useStarted('file', () => GatewayHarness.start({ knowledge: ruleBookKnowledge(ruleBook) }));
  beforeAll(() => {
    files = [gateway.file('data.sca'), gateway.file('model.pdb', aModel)];
  });

  it.each(attacks)('is refused with %s %s = %j, by the field and with what is allowed', async (...attack) => {
    const [program, name] = attack;
    const { status, json } = await gateway.submit({ files, directives: { program_settings: settingsOf(attack) } });
    expect(status).toBe(422);
    const { problems } = json() as { readonly problems: readonly Record<string, string>[] };
    expect(problems).toEqual([
      {
        field: `directives.program_settings.${program}.${name}`,
        reason: expect.stringMatching(/^(must be|names what|is no parameter) /) as string,
        allowed: expect.stringMatching(/./) as string,
        code: 'directive.invalid',
      },
    ]);
    expect(gateway.woken).toEqual([]);
  });

  it('gets all problems at once', async () => {
    const program_settings: Record<string, Record<string, StrategyValue>> = {};
    for (const [program, name, value] of attacks)
      program_settings[program] = { ...program_settings[program], [name]: value };
    const { json } = await gateway.submit({ files, directives: { program_settings } });
    const { problems } = json() as { readonly problems: readonly unknown[] };
    expect(problems).toHaveLength(new Set(attacks.map(([program, name]) => `${program}.${name}`)).size);
  });

  it('has a title of one line whatever its first file is called', async () => {
    const odd = gateway.file('a\nb\u2028\u0007c.sca');
    const { request } = (await gateway.submit({ files: [odd] })).json() as {
      readonly request: { readonly title: string };
    };
    expect(request.title).toBe('a b  c');
  });

  it('is refused to a resume in the same way', async () => {
    const submitted = (await gateway.submit({ files })).json() as { readonly id: string };
    await gateway.send('POST', `/v1/sessions/${submitted.id}/cancel`);
    const { version } = (await gateway.store.records.load(submitted.id))!;
    const detail = 'cancelled by request';
    const to = { ended: { reason: 'cancelled', detail, afterCycle: 0 } } as const;
    await gateway.store.records.advance({
      sessionId: submitted.id,
      fromVersion: version,
      to,
      events: [],
      dueInMs: 1000,
    });
    const directives = { program_settings: { 'phenix.refine': { output_prefix: '/elsewhere/x', nproc: 100_000 } } };
    const answer = await gateway.send('POST', `/v1/sessions/${submitted.id}/resume`, { body: { directives } });
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({
      problems: [
        { field: 'directives.program_settings.phenix.refine.output_prefix' },
        { field: 'directives.program_settings.phenix.refine.nproc', allowed: 'a whole number from 1 to 64' },
      ],
    });
  });
});

describe('a request to the decision API', () => {
  const ask = (session_state: object): Promise<DecideResponse> =>
    buildDecisionApi({ ruleBook, decider: buildDecisionGraph({ ruleBook }), clock: systemClock }).answer({
      api_version: '2.0',
      files: ['/d/data.mtz', '/d/PHASER.1.pdb'],
      cycle_number: 2,
      history: [
        { cycle: 1, program: 'phenix.xtriage', command: 'phenix.xtriage /d/data.mtz', result: 'SUCCESS' },
        {
          cycle: 2,
          program: 'phenix.phaser',
          command: 'phenix.phaser /d/data.mtz /d/search.pdb',
          result: 'SUCCESS',
          output_files: ['/d/PHASER.1.pdb'],
        },
      ],
      session_state,
    });

  const untouched = ['phenix.refine', '/d/PHASER.1.pdb', '/d/data.mtz', 'output.prefix=refine_001'];
  const refinement = attacks.filter(([program]) => program === 'phenix.refine' || program === 'default');

  it.each(refinement)('gets no command with %s %s = %j, and gets the reason', async (...attack) => {
    const { decision, metadata } = await ask({ directives: { program_settings: settingsOf(attack) } });
    expect(decision.argv).toEqual(untouched);
    const field = `session_state.directives.program_settings.${attack[0]}.${attack[1]}`;
    expect(metadata.warnings.filter((warning) => warning.startsWith(`${field} is left out: it `))).toHaveLength(1);
  });

  it.each(refinement)('gets none through a recovery either: %s %s = %j', async (_program, name, value) => {
    for (const program_scope of [['phenix.refine'], []]) {
      const strategy = { flags: { [name]: value }, program_scope, reason: 'labels' };
      const { decision, metadata } = await ask({ recovery_strategies: { '/d/data.mtz': strategy } });
      expect(decision.argv).toEqual(untouched);
      expect(metadata.warnings.join('\n')).toContain(`flags.${name} is left out: it `);
    }
  });
});

describe('a command in a record that was edited', () => {
  const right = ['phenix.refine', '/data/model.pdb', '/data/data.mtz', 'output.prefix=refine_001'];
  const decision = (argv: readonly string[]): CycleRecord['decision'] =>
    aDecision({
      argv,
      inputs: [
        { slot: 'model', path: '/data/model.pdb' },
        { slot: 'data', path: '/data/data.mtz' },
      ],
    });
  const started = async (argv: readonly string[]) => {
    const backend = new ScriptedBackend();
    const executor = newExecutor(backend, {}, { ruleBook });
    const id = await executor.aDecided({}, decision(argv));
    await executor.step(id);
    const { cycles, stage } = await executor.load(id);
    return { launches: backend.started.length, stage, ending: cycles[0]!.attempts[0]!.ending };
  };

  it('runs as it was decided', async () => {
    expect(await started([...right, 'refinement.main.nproc=2'])).toMatchObject({ launches: 1, stage: 'executing' });
  });

  it.each([
    ['another program', ['/bin/sh', '-c', 'id']],
    ['another program of ours', ['phenix.phaser', ...right.slice(1)]],
    ['a file outside', ['phenix.refine', '/home/victim/model.pdb', '/data/data.mtz']],
    ['a file through the folder above', [...right.slice(0, 2), '/data/../victim/data.mtz']],
    ['an output elsewhere', ['phenix.refine', '/data/model.pdb', '/data/data.mtz', 'output.prefix=/elsewhere/x']],
    ['an output in quotes', [...right.slice(0, 3), 'output.prefix="/elsewhere/x"']],
    ['a parameter that is not ours', [...right, 'output.serial_format=%d']],
    ['an abbreviated parameter', [...right, 'prefix=/elsewhere/x']],
    ['a flag of the shell', [...right, '--eff=/elsewhere/x.eff']],
    ['a second parameter behind a newline', [...right, 'main.number_of_macro_cycles=3\noutput.prefix=/x']],
    ['a second parameter behind a semicolon', [...right, 'refinement.twinning.twin_law=h,-k,-l;output.prefix=/x']],
    ['a second output', [...right, 'output.prefix=refine_002']],
    ['too many processes', [...right, 'refinement.main.nproc=100000']],
    ['an expression for a number', [...right, 'refinement.main.nproc=1+1']],
    ['another text for a switch', [...right, 'refine.adp.individual.anisotropic="all"']],
  ])('never runs with %s, and the session gives the reason', async (_name, argv) => {
    const { launches, stage, ending } = await started(argv);
    expect(launches).toBe(0);
    expect(stage).toBe('analysing');
    expect(ending).toMatchObject({ kind: 'not_started', infrastructure: false });
    expect(ending!.message).toMatch(
      /^The command of phenix\.refine was not run: it.* The next decision builds a new one\.$/,
    );
  });
});
