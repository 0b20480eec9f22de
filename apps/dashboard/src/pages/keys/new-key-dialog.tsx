import { Button, Group, NativeSelect, Paper, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { apiKeyRequestSchema, type NewApiKey } from '@fleet/contracts/access';
import { principalRoles, scopesOfRole, type PrincipalRole } from '@fleet/contracts/route';
import { api } from '../../api/calls';
import { Dialog } from '../../parts/dialog';
import { SubmitFailure } from '../../parts/submit-failure';
import { keyTexts } from '../../texts/keys';
import { hasBeamlines, hasProposals, keyRequestOf, type KeyDraft } from './key-draft';
import { Columns } from '../../parts/columns';

const words = keyTexts.make;
const { owner, label, proposals, beamlines, expires_in_days: days } = apiKeyRequestSchema.properties ?? {};
const usualDays = typeof days?.default === 'number' ? String(days.default) : '';

interface Drafting {
  readonly draft: KeyDraft;
  readonly change: (more: Partial<KeyDraft>) => void;
}
type TypedMember = 'owner' | 'label' | 'proposals' | 'beamlines' | 'days';

/** A field with the API's description. */
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
    onChange={({ currentTarget }) => change({ [member]: currentTarget.value })}
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
  <Paper component="fieldset" p="xs">
    <legend>{words.scopes}</legend>
    <Group gap="4px 16px">
      <Text component="span" w="100%" c="dimmed" fz="xs">
        {words.scopesAll}
      </Text>
      {scopesOfRole(draft.role).map((scope) => (
        <label key={scope}>
          <input
            type="checkbox"

            checked={!draft.without.includes(scope)}
            onChange={({ currentTarget }) => {
              const others = draft.without.filter((one) => one !== scope);
              change({ without: currentTarget.checked ? others : [...others, scope] });
            }}
          />{' '}
          {scope}
        </label>
      ))}
    </Group>
  </Paper>
);

const Fields = ({ isFirst, ...drafting }: Drafting & { readonly isFirst: boolean }): ReactElement => {
  const { role } = drafting.draft;
  return (
    <>
      <Columns least={220}>
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
      </Columns>
      <Scopes {...drafting} />
    </>
  );
};

/** Creates a key from a form. */
export const NewKeyDialog = ({
  isFirst,
  onCreated,
  onClose,
}: {
  /** Once it exists, every request needs a key. */
  readonly isFirst: boolean;
  readonly onCreated: (made: NewApiKey) => void;
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
  const making = useMutation({
    mutationFn: () => api.json('POST /v1/admin/keys', { body: keyRequestOf(draft) }),
    onSuccess: onCreated,
  });
  const change = (more: Partial<KeyDraft>): void => setDraft((before) => ({ ...before, ...more }));
  return (
    <Dialog title={words.title} onClose={onClose}>
      {isFirst && <p>{words.first}</p>}
      <Stack
        component="form"
        gap={14}
        onSubmit={(event) => {
          event.preventDefault();
          making.mutate();
        }}
      >
        <Fields draft={draft} change={change} isFirst={isFirst} />
        <SubmitFailure message={making.error?.message} />
        <Group justify="flex-end" gap="xs">
          <Button type="submit" loading={making.isPending}>
            {words.button}
          </Button>
          <Button variant="default" onClick={onClose}>
            {words.leave}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
};
