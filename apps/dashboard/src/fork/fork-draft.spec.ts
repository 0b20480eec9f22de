import { settingDefinitions, type SessionView } from '@fleet/contracts';
import { toSessionView } from '@fleet/api-views';
import { aGuidance, aRequest, aSession, someSettings } from '@fleet/testing';
import { draftAgain } from '../submit/draft-again';
import { forkWishOf, type ForkDraft } from './fork-draft';

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
const wish = (more: Partial<ForkDraft>) => forkWishOf({ ...begun, ...more }, session, 3, settingDefinitions);

describe('what a fork asks for', () => {
  it('is the cycle alone where nothing was changed', () => {
    expect(wish({})).toEqual({ cycle: 3 });
    expect(wish({ title: '' })).toEqual({ cycle: 3 });
  });

  it('is what was changed beside it', () => {
    const settings = { ...begun.settings, max_refine_cycles: '6', analysis_only: true };
    expect(wish({ title: ' other way ', advice: 'place the ligand', settings })).toEqual({
      cycle: 3,
      title: 'other way',
      advice: 'place the ligand',
      settings: { max_refine_cycles: 6, analysis_only: true },
    });
  });

  it('says that advice or a setting is taken back', () => {
    expect(wish({ advice: '', settings: { ...begun.settings, max_cycles: '', simulated_programs: '' } })).toEqual({
      cycle: 3,
      advice: '',
      settings: { max_cycles: 20, simulated_programs: [] },
    });
  });

  it('leaves it to the API to say what is wrong with a setting', () => {
    expect(wish({ settings: { ...begun.settings, max_cycles: 'many' } }).settings).toEqual({ max_cycles: 'many' });
  });
});
