import { Button, Skeleton } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { OutputFile, ResultsView } from '@fleet/contracts';
import { plainLine } from '@fleet/session-report';
import { download, fetchResults } from '../api/calls';
import { sizeText } from '../format/sizes';
import { Failure } from '../shell/failure';
import { texts } from '../texts';

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

const Files = ({ results }: { readonly results: ResultsView }): ReactElement => {
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
              <td className="number">{sizeText(file.size)}</td>
              <td className="number">{file.cycle}</td>
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

/** Everything that the session's programs made, the newest first. */
export const FileList = ({ id }: { readonly id: string }): ReactElement => {
  const results = useQuery({ queryKey: ['session', id, 'results'], queryFn: ({ signal }) => fetchResults(id, signal) });
  if (results.data === undefined)
    return results.error === null ? (
      <Skeleton height={120} />
    ) : (
      <Failure error={results.error} onAgain={() => void results.refetch()} />
    );
  return results.data.files.length === 0 ? (
    <p className="empty">{texts.session.noFiles}</p>
  ) : (
    <Files results={results.data} />
  );
};
