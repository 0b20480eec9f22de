import { ActionIcon, Button, Group, Paper, TextInput } from '@mantine/core';
import { IconBookmark, IconX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState, type ReactElement, type SubmitEvent } from 'react';
import { listTexts } from '../../texts/sessions';
import { changedSearch, isFiltered, queryOf, type ListSearch } from './list-search';
import { keepViews, storedViews, longestName, withoutView, withView, type SavedView } from './saved-views';
import css from './sessions.module.css';

const words = listTexts.views;

/** Asks for the name of a view. */
const Naming = ({ onName }: { readonly onName: (name: string) => void }): ReactElement => {
  const [name, setName] = useState('');
  const save = (event: SubmitEvent): void => {
    event.preventDefault();
    if (name.trim() !== '') onName(name);
  };
  return (
    <Group component="form" gap={6} onSubmit={save}>
      <TextInput
        size="xs"
        aria-label={words.name}
        placeholder={words.name}
        maxLength={longestName}
        autoFocus
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <Button size="xs" type="submit" variant="default" disabled={name.trim() === ''}>
        {words.keep}
      </Button>
    </Group>
  );
};

/** Saved views, stored by the browser. */
export const ViewBar = ({ search }: { readonly search: ListSearch }): ReactElement => {
  const [views, setViews] = useState<readonly SavedView[]>(storedViews);
  const [isNaming, setNaming] = useState(false);
  const keep = (changed: readonly SavedView[]): void => {
    keepViews(changed);
    setViews(changed);
    setNaming(false);
  };
  const firstPage = changedSearch(search, {});
  const mayKeep =
    isFiltered(search) && views.every((view) => queryOf({ ...view.search }) !== queryOf({ ...firstPage }));
  if (views.length === 0 && !mayKeep) return <></>;
  return (
    <Group component="nav" gap={10} aria-label={words.label}>
      {views.map((view) => (
        <Paper component="span" key={view.name} className={css.view} p="1px 8px" radius="xl">
          <Link to="/sessions" search={view.search} activeOptions={{ exact: true }}>
            {view.name}
          </Link>
          <ActionIcon
            size="xs"
            variant="subtle"
            color="gray"
            aria-label={words.forget(view.name)}
            onClick={() => keep(withoutView(views, view.name))}
          >
            <IconX size={12} />
          </ActionIcon>
        </Paper>
      ))}
      {mayKeep && !isNaming && (
        <Button
          size="compact-xs"
          variant="subtle"
          leftSection={<IconBookmark size={14} />}
          onClick={() => setNaming(true)}
        >
          {words.save}
        </Button>
      )}
      {mayKeep && isNaming && <Naming onName={(name) => keep(withView(views, name, search))} />}
    </Group>
  );
};
