import { settingDefinitions } from '@fleet/contracts/service';
import type { SessionView } from '@fleet/contracts/sessions';
import { aFile, aRequest, someSettings } from '@fleet/testing';
import { submissionOf } from './draft';
import { draftAgain } from './draft-again';

it('submits the same again: files, texts, and the changed settings', () => {
  const request = aRequest({
    title: 'Thaumatin',
    proposal: 'mx1234',
    beamline: 'i04',
    advice: 'refine twice',
    inputs: [aFile({ path: '/data/x.mtz' })],
    ligands: [{ code: 'NAG' }, { smiles: 'CCO', id: 'LIG' }],
    settings: { ...someSettings(), max_cycles: 5, analysis_only: true, simulated_programs: ['a', 'b'] },
  });
  const session = { request, createdAt: '2026-11-23T10:00:00.000Z', cycles: [] } as unknown as SessionView;
  const draft = draftAgain(session, settingDefinitions);
  expect(draft.settings).toMatchObject({ max_cycles: '5', analysis_only: true, simulated_programs: 'a, b' });
  expect(draft.settings).not.toHaveProperty('r_free_target');
  expect(submissionOf(draft, settingDefinitions)).toMatchObject({
    files: ['/data/x.mtz'],
    title: 'Thaumatin',
    proposal: 'mx1234',
    beamline: 'i04',
    advice: 'refine twice',
    ligands: [{ code: 'NAG' }, { smiles: 'CCO', id: 'LIG' }],
    settings: { max_cycles: 5, analysis_only: true, simulated_programs: ['a', 'b'] },
  });
});
