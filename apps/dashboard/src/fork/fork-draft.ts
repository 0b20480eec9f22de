import type { ForkWish, SessionView, SettingDefinition } from '@fleet/contracts';
import { adviceNow } from '../steer/advice-draft';
import { emptyDraft, submissionOf, type Draft } from '../submit/draft';

/** What may be other in a fork. */
export type ForkDraft = Pick<Draft, 'title' | 'advice' | 'settings'>;

type Definitions = Readonly<Record<string, SettingDefinition>>;

const isOther = (one: unknown, other: unknown): boolean => JSON.stringify(one) !== JSON.stringify(other);

/** What was typed; a setting that was emptied is as it is by default. */
const valuesOf = (draft: ForkDraft, definitions: Definitions): readonly (readonly [string, unknown])[] => {
  const typed: Readonly<Record<string, unknown>> =
    submissionOf({ ...emptyDraft, ...draft }, definitions).settings ?? {};
  return Object.entries(definitions).map(([name, { default: usual }]) => [name, typed[name] ?? usual]);
};

/** As the API takes it: what is as the session has it is left out, so that it stays whatever it is by then. */
export const forkWishOf = (
  draft: ForkDraft,
  session: SessionView,
  cycle: number,
  definitions: Definitions,
): ForkWish => {
  const { title, settings: had } = session.request;
  const kept: Readonly<Record<string, unknown>> = had;
  const settings = valuesOf(draft, definitions).filter(([name, value]) => isOther(value, kept[name]));
  const said = draft.title.trim();
  return {
    cycle,
    ...(said !== '' && said !== title && { title: said }),
    ...(draft.advice.trim() !== adviceNow(session).trim() && { advice: draft.advice }),
    ...(settings.length > 0 && { settings: Object.fromEntries(settings) }),
  };
};
