import { Anchor, Button, Group, Paper, Skeleton, Text } from '@mantine/core';
import { IconFile, IconFolder, IconFolderUp } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactElement, type ReactNode } from 'react';
import type { FolderEntry, FolderView } from '@fleet/contracts/submissions';
import { plainLine } from '@fleet/session-report';
import { api } from '../../api/calls';
import { bytesText } from '@fleet/session-report';
import { Ago } from '../../parts/time';
import { Failure } from '../../parts/failure';
import { submitTexts } from '../../texts/submit';
import { folderSearch } from './submit-search';
import css from './submit.module.css';

interface Picking {
  readonly picked: readonly string[];
  readonly onPick: (path: string, isOn: boolean) => void;
}

const words = submitTexts.folders;

const FolderRow = ({ entry: { name, path } }: { readonly entry: FolderEntry }): ReactElement => (
  <li className={css.entry}>
    <IconFolder size={16} aria-hidden="true" />
    <Link
      from="/submit"
      to="/submit"
      search={({ from }) => folderSearch(path, from)}
      aria-label={words.open(plainLine(name))}
      className={css.name}
    >
      {plainLine(name)}
    </Link>
  </li>
);

const FileRow = ({ entry, picked, onPick }: Picking & { readonly entry: FolderEntry }): ReactElement => {
  const { name, path, size, changedAt, likely } = entry;
  return (
    <li>
      <label className={css.entry} data-likely={likely === true}>
        <input
          type="checkbox"
          aria-label={words.pick(plainLine(name))}
          checked={picked.includes(path)}
          onChange={({ currentTarget }) => onPick(path, currentTarget.checked)}
        />
        <IconFile size={16} aria-hidden="true" />
        <span className={css.name}>{plainLine(name)}</span>
        <span className="quiet small number">{size === undefined ? '' : bytesText(size)}</span>
        <Text component="span" miw={70} ta="right" c="dimmed" fz="xs">
          {changedAt !== undefined && <Ago at={changedAt} />}
        </Text>
      </label>
    </li>
  );
};

const Entries = ({ entries, ...picking }: Picking & { readonly entries: readonly FolderEntry[] }): ReactElement => {
  const [isAll, setAll] = useState(false);
  const isShown = ({ kind, likely, path }: FolderEntry): boolean =>
    isAll || kind === 'folder' || likely === true || picking.picked.includes(path);
  const hidden = entries.filter((entry) => !isShown(entry)).length;
  return (
    <>
      {entries.length === 0 && <p className="quiet">{words.empty}</p>}
      <ul className={css.entries} data-testid="entries">
        {entries
          .filter(isShown)
          .map((entry) =>
            entry.kind === 'folder' ? (
              <FolderRow key={entry.path} entry={entry} />
            ) : (
              <FileRow key={entry.path} entry={entry} {...picking} />
            ),
          )}
      </ul>
      {hidden > 0 && (
        <p className="quiet small">
          {words.others(hidden)}{' '}
          <Anchor
            component="button"
            type="button"

            onClick={() => setAll(true)}
          >
            {words.all}
          </Anchor>
        </p>
      )}
    </>
  );
};

/** Path of the folder, with links to its parents. */
const Crumbs = ({ shown }: { readonly shown: FolderView | undefined }): ReactElement => (
  <Group component="p" gap="sm" mb="xs">
    <Link from="/submit" to="/submit" search={({ from }) => folderSearch(undefined, from)}>
      {words.top}
    </Link>
    {shown !== undefined && shown.path !== '' && <span className="mono">{plainLine(shown.path)}</span>}
    {shown?.above !== undefined && (
      <Link
        from="/submit"
        to="/submit"
        search={({ from }) => folderSearch(shown.above, from)}
        aria-label={words.above}
        title={words.above}
      >
        <IconFolderUp size={18} />
      </Link>
    )}
  </Group>
);

/** The folder's entries, and how many are not shown. */
const Listed = ({ pages, ...picking }: Picking & { readonly pages: readonly FolderView[] }): ReactElement => {
  const skipped = pages.reduce((sum, page) => sum + page.skipped, 0);
  return (
    <>
      <Entries entries={pages.flatMap(({ entries }) => entries)} {...picking} />
      {skipped > 0 && <p className="quiet small">{words.skipped(skipped)}</p>}
      {pages.some(({ more }) => more) && <p className="quiet small">{words.more}</p>}
    </>
  );
};

/** Folders of the gateway's machine, to pick files from; the URL contains the current one. */
export const FolderBrowser = ({
  folder,
  children,
  ...picking
}: Picking & {
  readonly folder: string | undefined;
  /** Another source of files, above the folders. */
  readonly children: ReactNode;
}): ReactElement => {
  const pages = useInfiniteQuery({
    queryKey: ['folder', folder ?? ''],
    queryFn: ({ signal, pageParam }) => {
      // The data folders without a path.
      const query = folder === undefined ? {} : { path: folder, ...(pageParam !== '' && { cursor: pageParam }) };
      return api.json('GET /v1/folders', { query }, { signal });
    },
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  const { data, error } = pages;
  return (
    <Paper component="section" aria-label={words.title}>
      <h2>{words.title}</h2>
      {children}
      <Crumbs shown={data?.pages[0]} />
      {data === undefined && error === null && <Skeleton height={160} />}
      {data === undefined && error !== null && <Failure error={error} onAgain={() => void pages.refetch()} />}
      {data !== undefined && <Listed key={folder} pages={data.pages} {...picking} />}
      {pages.hasNextPage && (
        <Button
          size="xs"
          variant="default"
          loading={pages.isFetchingNextPage}
          onClick={() => void pages.fetchNextPage()}
        >
          {words.next}
        </Button>
      )}
    </Paper>
  );
};
