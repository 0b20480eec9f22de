import { Badge, Group, Paper, Stack, Table } from '@mantine/core';
import { IconFileZip } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import {
  shortName,
  type FileUse,
  type OutputFile,
  type ResultsView,
  type SessionView,
} from '@fleet/contracts/sessions';
import { plainLine } from '@fleet/session-report';
import { download, downloadArchive, fetchResults } from '../../api/calls';
import { bytesText } from '@fleet/session-report';
import { CopyButton } from '../../parts/copy-button';
import { DownloadButton } from '../../parts/download-button';
import { Pending } from '../../parts/failure';
import { fileTexts, sessionTexts } from '../../texts/session';
import { FileUseLine } from '../../state/file-use-line';
import { TableFrame } from '../../parts/listing';

const Download = ({ file }: { readonly file: OutputFile }): ReactElement => (
  <DownloadButton
    size="compact-xs"
    fetchFile={() => download(file.href, file.name.split('/').at(-1) ?? file.name)}
    aria-label={`${sessionTexts.download} ${plainLine(file.name)}`}
  >
    {sessionTexts.download}
  </DownloadButton>
);

/** The best files, or all of them, as one archive. */
const Archive = ({ id, which }: { readonly id: string; readonly which: 'results' | 'all' }): ReactElement => (
  <DownloadButton size="xs" icon={<IconFileZip size={14} />} fetchFile={() => downloadArchive(id, which)}>
    {sessionTexts.archive[which]}
  </DownloadButton>
);

/** The first characters of a checksum, all of them on hover and to copy. */
const Checksum = ({ of }: { readonly of: string | undefined }): ReactElement =>
  of === undefined ? (
    <></>
  ) : (
    <Group component="span" gap={4} wrap="nowrap">
      <span className="mono small" title={of}>
        {of.slice(0, 12)}…
      </span>
      <CopyButton text={of} label={sessionTexts.copyChecksum} />
    </Group>
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
    <TableFrame>
      <Table data-testid="files">
        <Table.Thead>
          <Table.Tr>
            {Object.values(fileTexts).map((name) => (
              <Table.Th key={name} scope="col">
                {name}
              </Table.Th>
            ))}
            <Table.Th />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {results.files.toReversed().map((file) => (
            <Table.Tr key={file.href}>
              <Table.Td>
                <span className="mono">{plainLine(file.name)}</span>
                {best.has(file.path) && (
                  <Badge component="span" ml="xs">
                    {sessionTexts.best} {best.get(file.path)?.replaceAll('_', ' ')}
                  </Badge>
                )}
              </Table.Td>
              <Table.Td>{shortName(file.program)}</Table.Td>
              <Table.Td>{file.format}</Table.Td>
              <Table.Td className="number">{bytesText(file.size)}</Table.Td>
              <Table.Td className="number">{file.cycle}</Table.Td>
              <Table.Td>
                <Checksum of={checksums.get(file.path)} />
              </Table.Td>
              <Table.Td>
                <Download file={file} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </TableFrame>
  );
};

/** Each submitted file with its use, or why it is not used. */
const SubmittedFiles = ({ uses }: { readonly uses: readonly FileUse[] }): ReactElement => (
  <section aria-label={sessionTexts.submittedFiles} data-testid="submitted-files">
    <h3>{sessionTexts.submittedFiles}</h3>
    <Stack component="ul" gap="xs">
      {uses.map((use) => (
        <li key={use.path}>
          <span className="mono" title={plainLine(use.path)}>
            {plainLine(use.path.split('/').at(-1) ?? use.path)}
          </span>
          <FileUseLine use={use} />
        </li>
      ))}
    </Stack>
  </section>
);

/** The uses of the submitted files, and all output files, the newest first. */
export const FileList = ({ session }: { readonly session: SessionView }): ReactElement => {
  const { id } = session;
  const results = useQuery({ queryKey: ['session', id, 'results'], queryFn: ({ signal }) => fetchResults(id, signal) });
  if (results.data === undefined) return <Pending query={results} height={120} />;
  const submitted = <SubmittedFiles uses={results.data.submitted} />;
  if (results.data.files.length === 0)
    return (
      <>
        {submitted}
        <Paper component="p" p={40} ta="center" c="dimmed">
          {sessionTexts.noFiles}
        </Paper>
      </>
    );
  return (
    <>
      {submitted}
      <Group component="p" gap="xs" my="sm">
        <Archive id={id} which="results" />
        <Archive id={id} which="all" />
      </Group>
      <Files results={results.data} session={session} />
    </>
  );
};
