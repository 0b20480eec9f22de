import { aCycle, aDecision, aFile, aRequest, aResult, aSession } from '@fleet/testing';
import { withOriginalNames } from './original-names';

const plain = aFile({ path: '/data/visit 1/data.mtz', facts: { format: 'mtz' } });
const odd = aFile({ path: '/data/mo\ndel\u202e.eff', facts: { format: 'mmcif-model' } });
const decision = aDecision({
  program: 'phenix.refine',
  argv: ['phenix.refine', odd.path, `xray_data.file_name="${plain.path}"`],
  inputs: [
    { slot: 'model', path: odd.path },
    { slot: 'data_mtz', path: plain.path },
  ],
});
const session = aSession({ attempt: 2, request: aRequest({ inputs: [plain, odd] }) });
const inputs = `${session.folder}/c003-refine/a2.running/inputs`;

const renamed = (summary: string, ...errorLines: readonly string[]) => {
  const result = aResult({ outcome: 'failed', summary, errorLines });
  const after = withOriginalNames(result, session, aCycle({ cycle: 3, decision }));
  return { summary: after.summary, errorLines: after.errorLines };
};

describe('file names in the message of a failed program', () => {
  it('are those of the session', () => {
    expect(
      renamed(`no array in ${inputs}/2/data.mtz.`, `  ${inputs}/2/data.mtz:IMEAN,SIGIMEAN`, `(${inputs}/2/data.mtz)`),
    ).toEqual({
      summary: `no array in ${plain.path}.`,
      errorLines: [`  ${plain.path}:IMEAN,SIGIMEAN`, `(${plain.path})`],
    });
  });

  it('are explained in a separate line if the original name would be misleading', () => {
    expect(renamed('no atoms', `in ${inputs}/1/mo_del_.cif: nothing`)).toEqual({
      summary: 'no atoms',
      errorLines: ['in 1/mo_del_.cif: nothing', '1/mo_del_.cif is "/data/mo\\u{a}del\\u{202e}.eff"'],
    });
  });

  it('are not replaced in longer names', () => {
    const lines = [`${inputs}/2/data.mtz.log`, `${inputs}/2/data.mtz-old`, '/elsewhere/inputs/2/data.mtz', 'data.mtz'];
    expect(renamed('no', ...lines).errorLines).toEqual(lines);
  });
});
