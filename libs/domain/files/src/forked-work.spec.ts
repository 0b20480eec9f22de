import type { Session } from '@fleet/contracts/sessions';
import { aCycle, aDecision, aFile, anAttempt, aRequest, aResult, aSession } from '@fleet/testing';
import { carriedFiles, forkedWork } from './forked-work';

const pin = { inode: '7', size: 1000, modified: '1', sha256: 'ab' };
const parent = (): Session => {
  const session = aSession({ request: aRequest({ inputs: [aFile({ path: '/data/data.mtz' })] }) });
  const file = (cycle: number, name: string) => `${session.folder}/c00${String(cycle)}-refine/a1/${name}`;
  const cycle = (number: number, inputs: readonly string[]) =>
    aCycle({
      cycle: number,
      attempts: [anAttempt(), anAttempt({ attempt: 2 })],
      decision: aDecision({
        argv: ['phenix.refine', ...inputs.map((path) => `model="${path}"`), 'prefix=x'],
        inputs: inputs.map((path) => ({ slot: 'model', path })),
      }),
      result: aResult({
        outputs: [aFile({ path: file(number, 'model.pdb'), cycle: number, pin })],
        summary: `wrote ${file(number, 'model.pdb')}`,
      }),
    });
  return {
    ...session,
    cycle: 4,
    cycles: [cycle(1, ['/data/data.mtz']), cycle(2, [file(1, 'model.pdb')]), cycle(3, [file(2, 'model.pdb')])],
  };
};

describe('the initial work of a fork', () => {
  it('is that of the first cycles, with its files in the folder of the fork', () => {
    const { inputs, cycles } = forkedWork(parent(), 2, '/work/mx1/fork', new Map());
    expect(inputs.map(({ path }) => path)).toEqual(['/data/data.mtz']);
    expect(cycles.map(({ cycle }) => cycle)).toEqual([1, 2]);
    expect(cycles[0]?.decision.inputs[0]?.path).toBe('/data/data.mtz');
    const model = '/work/mx1/fork/c001-refine/a1/model.pdb';
    expect(cycles[1]?.decision).toMatchObject({
      argv: ['phenix.refine', `model="${model}"`, 'prefix=x'],
      inputs: [{ slot: 'model', path: model }],
    });
    expect(cycles[0]?.result?.outputs[0]).toMatchObject({ path: model, pin });
    // Earlier texts stay unchanged.
    expect(cycles[1]?.result?.summary).not.toContain('/work/mx1/fork');
  });

  it('has the pins of copied files', () => {
    const path = '/work/mx1/fork/c001-refine/a1/model.pdb';
    const copied = { ...pin, inode: '8' };
    const { cycles } = forkedWork(parent(), 2, '/work/mx1/fork', new Map([[path, copied]]));
    expect(cycles.map(({ result }) => result?.outputs[0]?.pin)).toEqual([copied, pin]);
  });

  it('includes the results and logs in the folder of the session, only of these cycles', () => {
    const session = parent();
    const below = (cycle: number, name: string) => `${session.folder}/c00${String(cycle)}-refine/${name}`;
    expect(carriedFiles(session, 1)).toEqual([
      { path: below(1, 'a1/model.pdb'), isLog: false, pin },
      { path: below(1, 'a1/program.log'), isLog: true },
      { path: below(1, 'a2/program.log'), isLog: true },
    ]);
    expect(carriedFiles(session, 3)).toHaveLength(9);
  });

  it("includes files of the session itself that a resume has added: the fork's own if a cycle used them, otherwise at their path", () => {
    const session = parent();
    const below = (name: string) => `${session.folder}/${name}`;
    const [used, later] = [below('c002-refine/a1/model.pdb'), below('c003-refine/a1/model.pdb')];
    const inputs = [used, later].map((path) => aFile({ path, pin }));
    const resumed = { ...session, request: { ...session.request, inputs } };
    const fork = forkedWork(resumed, 2, '/work/mx1/fork', new Map());
    expect(fork.inputs.map(({ path }) => path)).toEqual(['/work/mx1/fork/c002-refine/a1/model.pdb', later]);
    // Its own third cycle would use the path of the other session's file.
    expect(carriedFiles(resumed, 2).filter(({ path }) => path === later)).toEqual([]);
  });
});
