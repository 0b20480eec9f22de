import { CloseButton } from '@mantine/core';
import type { ReactElement } from 'react';
import type { SubmissionReading } from '@fleet/contracts';
import { plainLine } from '@fleet/session-report';
import { FileUseLine } from '../session/file-use-line';
import { submitTexts } from '../texts-submit';

const words = submitTexts.picked;

const nameOf = (path: string): string => path.split('/').at(-1) ?? path;

/** The category that says most (those above it say it in general), and the outcome of the file. */
const Categories = ({ file }: { readonly file: SubmissionReading['files'][number] }): ReactElement => (
  <>
    <span className="small">
      <b>{file.format}</b>
      {file.categories.length > 0 && ` · ${words.categories} `}
      {file.categories.map(({ category, why }, at) => (
        <span key={category} title={why} className="taken">
          {at > 0 && ', '}
          {category.replaceAll('_', ' ')}
        </span>
      ))}
    </span>
    {file.use !== undefined && <FileUseLine use={file.use} />}
  </>
);

/** What was picked, and the categories of each file. */
export const PickedFiles = ({
  files,
  reading,
  onRemove,
}: {
  readonly files: readonly string[];
  readonly reading: SubmissionReading | undefined;
  readonly onRemove: (path: string) => void;
}): ReactElement => (
  <section className="panel" data-testid="picked">
    <h2>{words.title(files.length)}</h2>
    {files.length === 0 && <p className="quiet">{words.none}</p>}
    <ul className="picked">
      {files.map((path, at) => {
        const name = plainLine(nameOf(path));
        // A link was resolved: its file has another path, and the same place where all could be read.
        const file =
          reading?.files.find((one) => one.path === path) ??
          (reading?.files.length === files.length ? reading.files[at] : undefined);
        const wrong = reading?.problems.filter(({ field }) => field === `files[${String(at)}]`) ?? [];
        return (
          <li key={path}>
            <div className="picked-name">
              <span className="mono" title={plainLine(path)}>
                {name}
              </span>
              <CloseButton
                size="sm"
                aria-label={words.remove(name)}
                onClick={() => {
                  onRemove(path);
                }}
              />
            </div>
            {file === undefined && wrong.length === 0 && <span className="quiet small">{words.notRead}</span>}
            {file !== undefined && <Categories file={file} />}
            {wrong.map(({ reason }) => (
              <p key={reason} className="mark-failed small">
                {plainLine(reason)}
              </p>
            ))}
          </li>
        );
      })}
    </ul>
  </section>
);
