import { Badge } from '@mantine/core';
import type { ReactElement } from 'react';
import { sessionTexts } from '../texts/session';

/** Marks what a stand-in of a program made. */
export const SimulatedBadge = (): ReactElement => (
  <Badge component="span" color="grape" data-testid="simulated">
    {sessionTexts.simulated}
  </Badge>
);
