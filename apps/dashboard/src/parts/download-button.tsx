import { Button, type ButtonProps } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';

/** Downloads a file, and shows an error below itself. */
export const DownloadButton = ({
  fetchFile,
  icon = <IconDownload size={14} />,
  children,
  ...shown
}: {
  readonly fetchFile: () => Promise<unknown>;
  readonly icon?: ReactNode;
  readonly 'aria-label'?: string;
  readonly children: ReactNode;
} & Pick<ButtonProps, 'size' | 'ml'>): ReactElement => {
  const fetching = useMutation({ mutationFn: fetchFile });
  return (
    <>
      <Button
        variant="default"
        leftSection={icon}
        loading={fetching.isPending}
        onClick={() => fetching.mutate()}
        {...shown}
      >
        {children}
      </Button>
      {fetching.error !== null && <p role="alert">{fetching.error.message}</p>}
    </>
  );
};
