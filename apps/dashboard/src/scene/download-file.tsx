import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { plainLine } from '@fleet/session-report';
import { download } from '../api/calls';
import { sceneTexts } from '../texts-scene';
import type { SceneFile } from './scene-files';

const nameOfFile = ({ file }: SceneFile): string => file.path.split('/').at(-1) ?? file.path;

/** A file by its name, to download. */
export const DownloadFile = ({ file }: { readonly file: SceneFile }): ReactElement => {
  const name = nameOfFile(file);
  const fetching = useMutation({ mutationFn: () => download(file.href, name) });
  return (
    <>
      <Button
        size="compact-xs"
        variant="default"
        leftSection={<IconDownload size={14} />}
        loading={fetching.isPending}
        onClick={() => {
          fetching.mutate();
        }}
      >
        {sceneTexts.download(plainLine(name))}
      </Button>
      {fetching.error !== null && <p role="alert">{fetching.error.message}</p>}
    </>
  );
};
