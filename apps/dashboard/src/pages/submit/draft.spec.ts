import { settingDefinitions } from '@fleet/contracts/service';
import { emptyDraft, submissionOf } from './draft';

describe('the draft of a submission', () => {
  it('contains what was typed, and nothing else', () => {
    const settings = {
      max_cycles: '7',
      resolution: 'two',
      analysis_only: true,
      simulated_programs: 'phenix.autosol, , phenix.rosetta',
      experiment_type: 'xray',
      r_free_target: '',
    };
    const ligands = { codes: 'NAG, NDG', smiles: 'CCO LIG\n\n c1ccccc1\n' };
    const texts = { files: ['/data/a.mtz'], proposal: ' mx1 ', advice: 'stop early' };
    const draft = { ...emptyDraft, ...texts, ...ligands, settings };
    expect(submissionOf(draft, settingDefinitions)).toEqual({
      files: ['/data/a.mtz'],
      proposal: 'mx1',
      advice: 'stop early',
      ligands: [{ code: 'NAG' }, { code: 'NDG' }, { smiles: 'CCO', id: 'LIG' }, { smiles: 'c1ccccc1' }],
      settings: {
        max_cycles: 7,
        resolution: 'two',
        analysis_only: true,
        simulated_programs: ['phenix.autosol', 'phenix.rosetta'],
        experiment_type: 'xray',
      },
    });
    expect(submissionOf(emptyDraft, settingDefinitions)).toEqual({ files: [] });
  });
});
