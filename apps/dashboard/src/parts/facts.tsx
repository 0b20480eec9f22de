import { Box, Group, Text } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';

/** Names and values in one line, if they fit. */
export const Facts = ({ children }: { readonly children: ReactNode }): ReactElement => (
  <Group component="dl" gap="10px 30px" align="flex-start" data-testid="facts">
    {children}
  </Group>
);

export const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement => (
  <div>
    <Text component="dt" fz="xs" c="dimmed">
      {name}
    </Text>
    <Box component="dd" fw={600}>
      {children}
    </Box>
  </div>
);
