import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { scopesOfRole } from '@fleet/access';
import { apiKeyWishSchema, principalRoles, type NewApiKey, type PrincipalRole } from '@fleet/contracts';
import { makeKey } from '../api/admin-calls';
import { Dialog } from '../shell/dialog';
import { SubmitFailure } from '../submit/submit-failure';
import { keyTexts } from '../texts-keys';
import { hasBeamlines, hasProposals, keyWishOf, type KeyDraft } from './key-draft';

const words = keyTexts.make;
const { owner, label, proposals, beamlines, expires_in_days: days } = apiKeyWishSchema.properties ?? {};
const usualDays = typeof days?.default === 'number' ? String(days.default) : '';

interface Drafting {
  readonly draft: KeyDraft;
  readonly change: (more: Partial<KeyDraft>) => void;
}
type TypedMember = 'owner' | 'label' | 'proposals' | 'beamlines' | 'days';

/** As the API describes the member. */
const Typed = ({
  draft,
  change,
  member,
  title,
  what,
  hint,
  isNumber = false,
}: Drafting & {
  readonly member: TypedMember;
  readonly title: string;
  readonly what: string | undefined;
  readonly hint?: string;
  readonly isNumber?: boolean;
}): ReactElement => (
  <TextInput
    size="xs"
    label={title}
    description={what?.replaceAll('`', '')}
    placeholder={hint}
    inputMode={isNumber ? 'numeric' : 'text'}
    autoComplete="off"
    data-autofocus={member === 'owner' ? true : undefined}
    value={draft[member]}
    onChange={({ currentTarget }) => {
      change({ [member]: currentTarget.value });
    }}
  />
);

const Role = ({ draft, change, isFirst }: Drafting & { readonly isFirst: boolean }): ReactElement => (
  <NativeSelect
    size="xs"
    label={keyTexts.role}
    description={words.meanings[draft.role]}
    data={isFirst ? ['admin'] : [...principalRoles]}
    value={draft.role}
    onChange={({ currentTarget: { value } }) => {
      const role: PrincipalRole = principalRoles.find((known) => known === value) ?? draft.role;
      change({ role, without: [] });
    }}
  />
);

const Scopes = ({ draft, change }: Drafting): ReactElement => (
  <fieldset className="key-scopes">
    <legend>{words.scopes}</legend>
    <span className="quiet small">{words.scopesAll}</span>
    {scopesOfRole(draft.role).map((scope) => (
      <label key={scope}>
        <input
          type="checkbox"
          className="mark-box"
          checked={!draft.without.includes(scope)}
          onChange={({ currentTarget }) => {
            const others = draft.without.filter((one) => one !== scope);
            change({ without: currentTarget.checked ? others : [...others, scope] });
          }}
        />{' '}
        {scope}
      </label>
    ))}
  </fieldset>
);

const Fields = ({ isFirst, ...drafting }: Drafting & { readonly isFirst: boolean }): ReactElement => {
  const { role } = drafting.draft;
  return (
    <div className="key-fields">
      <Typed {...drafting} member="owner" title={keyTexts.owner} what={owner?.description} />
      <Role {...drafting} isFirst={isFirst} />
      <Typed {...drafting} member="label" title="Label" what={label?.description} />
      <Typed {...drafting} member="days" title={words.days} what={undefined} hint={usualDays} isNumber />
      {hasProposals(role) && (
        <Typed {...drafting} member="proposals" title="Proposals" what={proposals?.description} hint={words.list} />
      )}
      {hasBeamlines(role) && (
        <Typed {...drafting} member="beamlines" title="Beamlines" what={beamlines?.description} hint={words.list} />
      )}
      <Scopes {...drafting} />
    </div>
  );
};

/** Asks what a key is to be, and makes it. */
export const NewKeyDialog = ({
  isFirst,
  onMade,
  onClose,
}: {
  /** From this one on nobody gets in without a key. */
  readonly isFirst: boolean;
  readonly onMade: (made: NewApiKey) => void;
  readonly onClose: () => void;
}): ReactElement => {
  const [draft, setDraft] = useState<KeyDraft>({
    owner: '',
    role: isFirst ? 'admin' : 'user',
    label: '',
    proposals: '',
    beamlines: '',
    without: [],
    days: '',
  });
  const making = useMutation({ mutationFn: () => makeKey(keyWishOf(draft)), onSuccess: onMade });
  const change = (more: Partial<KeyDraft>): void => {
    setDraft((before) => ({ ...before, ...more }));
  };
  return (
    <Dialog title={words.title} onClose={onClose}>
      {isFirst && <p>{words.first}</p>}
      <form
        className="key-form"
        onSubmit={(event) => {
          event.preventDefault();
          making.mutate();
        }}
      >
        <Fields draft={draft} change={change} isFirst={isFirst} />
        <SubmitFailure message={making.error?.message} />
        <div className="dialog-ends">
          <Button type="submit" loading={making.isPending}>
            {words.button}
          </Button>
          <Button variant="default" onClick={onClose}>
            {words.leave}
          </Button>
        </div>
      </form>
    </Dialog>
  );
};
