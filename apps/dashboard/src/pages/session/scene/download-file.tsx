import type { ReactElement } from 'react';
import { plainLine } from '@fleet/session-report';
import { download } from '../../../api/calls';
import { DownloadButton } from '../../../parts/download-button';
import { sceneTexts } from '../../../texts/scene';
import type { SceneFile } from './scene-files';

const nameOfFile = ({ file }: SceneFile): string => file.path.split('/').at(-1) ?? file.path;

/** A file by its name, to download. */
export const DownloadFile = ({ file }: { readonly file: SceneFile }): ReactElement => {
  const name = nameOfFile(file);
  return (
    <DownloadButton size="compact-xs" fetchFile={() => download(file.href, name)}>
      {sceneTexts.download(plainLine(name))}
    </DownloadButton>
  );
};
