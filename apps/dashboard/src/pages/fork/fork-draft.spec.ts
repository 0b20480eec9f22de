import { settingDefinitions } from '@fleet/contracts/service';
import type { SessionView } from '@fleet/contracts/sessions';
import { toSessionView } from '@fleet/api-views';
import { aGuidance, aRequest, aSession, someSettings } from '@fleet/testing';
import { draftAgain } from '../submit/draft-again';
import { forkRequestOf, type ForkDraft } from './fork-draft';

const session: SessionView = toSessionView(
  aSession({
    request: aRequest({
      title: 'lysozyme',
      settings: someSettings({ max_cycles: 9, simulated_programs: ['phenix.refine'] }),
    }),
    guidance: aGuidance({ sources: [{ from: 'text', text: 'refine once' }] }),
  }),
);
const begun = draftAgain(session, settingDefinitions);
const requestOf = (more: Partial<ForkDraft>) => forkRequestOf({ ...begun, ...more }, session, 3, settingDefinitions);

describe('the request for a fork', () => {
  it('is only the cycle without changes', () => {
    expect(requestOf({})).toEqual({ cycle: 3 });
    expect(requestOf({ title: '' })).toEqual({ cycle: 3 });
  });

  it('contains the changes', () => {
    const settings = { ...begun.settings, max_refine_cycles: '6', analysis_only: true };
    expect(requestOf({ title: ' other way ', advice: 'place the ligand', settings })).toEqual({
      cycle: 3,
      title: 'other way',
      advice: 'place the ligand',
      settings: { max_refine_cycles: 6, analysis_only: true },
    });
  });

  it('removes advice or a setting', () => {
    expect(requestOf({ advice: '', settings: { ...begun.settings, max_cycles: '', simulated_programs: '' } })).toEqual({
      cycle: 3,
      advice: '',
      settings: { max_cycles: 20, simulated_programs: [] },
    });
  });

  it('leaves the validation of settings to the API', () => {
    expect(requestOf({ settings: { ...begun.settings, max_cycles: 'many' } }).settings).toEqual({ max_cycles: 'many' });
  });

  it('lists ligands if they changed: all of the new ones, or none if they were removed', () => {
    const held = toSessionView(
      aSession({ request: aRequest({ ligands: [{ code: 'NAG' }, { smiles: 'CCO', id: 'LIG' }] }) }),
    );
    const draft = draftAgain(held, settingDefinitions);
    const ligandsOf = (more: Partial<ForkDraft>) =>
      forkRequestOf({ ...draft, ...more }, held, 3, settingDefinitions).ligands;
    expect(ligandsOf({})).toBeUndefined();
    expect(ligandsOf({ codes: 'NAG MAN' })).toEqual([{ code: 'NAG' }, { code: 'MAN' }, { smiles: 'CCO', id: 'LIG' }]);
    expect(ligandsOf({ codes: '', smiles: '' })).toEqual([]);
  });
});
