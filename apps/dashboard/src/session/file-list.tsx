import { Button, Skeleton } from '@mantine/core';
import { IconDownload, IconFileZip } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { FileUse, OutputFile, ResultsView, SessionView } from '@fleet/contracts';
import { plainLine } from '@fleet/session-report';
import { download, downloadArchive, fetchResults } from '../api/calls';
import { bytesText } from '@fleet/session-report';
import { CopyButton } from '../shell/copy-button';
import { Failure } from '../shell/failure';
import { texts } from '../texts';
import { FileUseLine } from './file-use-line';

const Download = ({ file }: { readonly file: OutputFile }): ReactElement => {
  const fetching = useMutation({ mutationFn: () => download(file.href, file.name.split('/').at(-1) ?? file.name) });
  return (
    <>
      <Button
        size="compact-xs"
        variant="default"
        leftSection={<IconDownload size={14} />}
        loading={fetching.isPending}
        aria-label={`${texts.session.download} ${plainLine(file.name)}`}
        onClick={() => {
          fetching.mutate();
        }}
      >
        {texts.session.download}
      </Button>
      {fetching.error !== null && <p role="alert">{fetching.error.message}</p>}
    </>
  );
};

/** Best files, or all of them, in one. */
const Archive = ({ id, which }: { readonly id: string; readonly which: 'results' | 'all' }): ReactElement => {
  const fetching = useMutation({ mutationFn: () => downloadArchive(id, which) });
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconFileZip size={14} />}
        loading={fetching.isPending}
        onClick={() => {
          fetching.mutate();
        }}
      >
        {texts.session.archive[which]}
      </Button>
      {fetching.error !== null && <p role="alert">{fetching.error.message}</p>}
    </>
  );
};

/** Its first characters, all of them on hover and to copy. */
const Checksum = ({ of }: { readonly of: string | undefined }): ReactElement =>
  of === undefined ? (
    <></>
  ) : (
    <span className="checksum">
      <span className="mono small" title={of}>
        {of.slice(0, 12)}…
      </span>
      <CopyButton text={of} label={texts.session.copyChecksum} />
    </span>
  );

const Files = ({
  results,
  session,
}: {
  readonly results: ResultsView;
  readonly session: SessionView;
}): ReactElement => {
  const outputs = session.cycles.flatMap(({ result }) => result?.outputs ?? []);
  const checksums = new Map(outputs.map(({ path, pin }) => [path, pin?.sha256]));
  const best = new Map(results.bestFiles.map(({ path, category }) => [path, category]));
  return (
    <div className="table-frame">
      <table className="files">
        <thead>
          <tr>
            {Object.values(texts.files).map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
            <th />
          </tr>
        </thead>
        <tbody>
          {results.files.toReversed().map((file) => (
            <tr key={file.href}>
              <td>
                <span className="mono">{plainLine(file.name)}</span>
                {best.has(file.path) && (
                  <span className="chip">
                    {texts.session.best} {best.get(file.path)?.replaceAll('_', ' ')}
                  </span>
                )}
              </td>
              <td>{file.program.replace(/^phenix\./, '')}</td>
              <td>{file.format}</td>
              <td className="number">{bytesText(file.size)}</td>
              <td className="number">{file.cycle}</td>
              <td>
                <Checksum of={checksums.get(file.path)} />
              </td>
              <td>
                <Download file={file} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

/** Each submitted file with what it is used as, or why it is not. */
const SubmittedFiles = ({ uses }: { readonly uses: readonly FileUse[] }): ReactElement => (
  <section aria-label={texts.session.submittedFiles} data-testid="submitted-files">
    <h3>{texts.session.submittedFiles}</h3>
    <ul className="picked">
      {uses.map((use) => (
        <li key={use.path}>
          <span className="mono" title={plainLine(use.path)}>
            {plainLine(use.path.split('/').at(-1) ?? use.path)}
          </span>
          <FileUseLine use={use} />
        </li>
      ))}
    </ul>
  </section>
);

/** The outcome of the submitted files, and everything that the session's programs made, the newest first. */
export const FileList = ({ session }: { readonly session: SessionView }): ReactElement => {
  const { id } = session;
  const results = useQuery({ queryKey: ['session', id, 'results'], queryFn: ({ signal }) => fetchResults(id, signal) });
  if (results.data === undefined)
    return results.error === null ? (
      <Skeleton height={120} />
    ) : (
      <Failure error={results.error} onAgain={() => void results.refetch()} />
    );
  const submitted = <SubmittedFiles uses={results.data.submitted} />;
  if (results.data.files.length === 0)
    return (
      <>
        {submitted}
        <p className="empty">{texts.session.noFiles}</p>
      </>
    );
  return (
    <>
      {submitted}
      <p className="archives">
        <Archive id={id} which="results" />
        <Archive id={id} which="all" />
      </p>
      <Files results={results.data} session={session} />
    </>
  );
};
