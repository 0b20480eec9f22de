import type { SettingDefinition } from '@fleet/contracts/service';
import type { ForkRequest, SessionView } from '@fleet/contracts/sessions';
import { adviceNow } from '../../advice/advice-draft';
import { draftAgain } from '../submit/draft-again';
import { emptyDraft, ligandsOf, submissionOf, type Draft } from '../submit/draft';

/** What may change in a fork. */
export type ForkDraft = Pick<Draft, 'title' | 'advice' | 'codes' | 'smiles' | 'settings'>;

type Definitions = Readonly<Record<string, SettingDefinition>>;

/** The initial form: the session's values. */
export const forkDraftOf = (session: SessionView, definitions: Definitions): ForkDraft => {
  const { title, advice, codes, smiles, settings } = draftAgain(session, definitions);
  return { title, advice, codes, smiles, settings };
};

const isOther = (one: unknown, other: unknown): boolean => JSON.stringify(one) !== JSON.stringify(other);

/** The typed values; an emptied setting has its default. */
const valuesOf = (draft: ForkDraft, definitions: Definitions): readonly (readonly [string, unknown])[] => {
  const typed: Readonly<Record<string, unknown>> =
    submissionOf({ ...emptyDraft, ...draft }, definitions).settings ?? {};
  return Object.entries(definitions).map(([name, { default: usual }]) => [name, typed[name] ?? usual]);
};

/** As an API request: unchanged values are left out, so that they follow the session. */
export const forkRequestOf = (
  draft: ForkDraft,
  session: SessionView,
  cycle: number,
  definitions: Definitions,
): ForkRequest => {
  const { title, settings: had } = session.request;
  const submitted: Readonly<Record<string, unknown>> = had;
  const settings = valuesOf(draft, definitions).filter(([name, value]) => isOther(value, submitted[name]));
  const newTitle = draft.title.trim();
  const ligands = ligandsOf(draft);
  return {
    cycle,
    ...(newTitle !== '' && newTitle !== title && { title: newTitle }),
    ...(draft.advice.trim() !== adviceNow(session).trim() && { advice: draft.advice }),
    ...(isOther(ligands, ligandsOf(draftAgain(session, definitions))) && { ligands }),
    ...(settings.length > 0 && { settings: Object.fromEntries(settings) }),
  };
};
