import { CloseButton, Group, Paper, Stack, Text } from '@mantine/core';
import type { ReactElement } from 'react';
import type { SubmissionReading } from '@fleet/contracts/submissions';
import { plainLine } from '@fleet/session-report';
import { FileUseLine } from '../../state/file-use-line';
import { submitTexts } from '../../texts/submit';

const words = submitTexts.picked;

const nameOf = (path: string): string => path.split('/').at(-1) ?? path;

/** The most specific category, and the use of the file. */
const Categories = ({ file }: { readonly file: SubmissionReading['files'][number] }): ReactElement => (
  <>
    <span className="small">
      <b>{file.format}</b>
      {file.categories.length > 0 && ` · ${words.categories} `}
      {file.categories.map(({ category, why }, at) => (
        <span key={category} title={why} style={{ cursor: 'help' }}>
          {at > 0 && ', '}
          {category.replaceAll('_', ' ')}
        </span>
      ))}
    </span>
    {file.use !== undefined && <FileUseLine use={file.use} />}
  </>
);

/** The picked files, and their categories. */
export const PickedFiles = ({
  files,
  reading,
  onRemove,
}: {
  readonly files: readonly string[];
  readonly reading: SubmissionReading | undefined;
  readonly onRemove: (path: string) => void;
}): ReactElement => (
  <Paper component="section" data-testid="picked">
    <h2>{words.title(files.length)}</h2>
    {files.length === 0 && <p className="quiet">{words.none}</p>}
    <Stack component="ul" gap="xs">
      {files.map((path, at) => {
        const name = plainLine(nameOf(path));
        // A link was resolved: its file has another path, but the same index if all were readable.
        const file =
          reading?.files.find((one) => one.path === path) ??
          (reading?.files.length === files.length ? reading.files[at] : undefined);
        const wrong = reading?.problems.filter(({ field }) => field === `files[${String(at)}]`) ?? [];
        return (
          <li key={path}>
            <Group justify="space-between" gap="xs" wrap="nowrap">
              <span className="mono" title={plainLine(path)}>
                {name}
              </span>
              <CloseButton size="sm" aria-label={words.remove(name)} onClick={() => onRemove(path)} />
            </Group>
            {file === undefined && wrong.length === 0 && <span className="quiet small">{words.notRead}</span>}
            {file !== undefined && <Categories file={file} />}
            {wrong.map(({ reason }) => (
              <Text key={reason} c="red" fz="xs">
                {plainLine(reason)}
              </Text>
            ))}
          </li>
        );
      })}
    </Stack>
  </Paper>
);
