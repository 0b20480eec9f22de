import { NativeSelect } from '@mantine/core';
import type { ReactElement } from 'react';
import { priorities, type Priority } from '@fleet/contracts';
import { texts } from '../texts';

const isPriority = (value: string): value is Priority => priorities.some((known) => known === value);

/** Picks a priority, with what each means. */
export const PriorityField = ({
  value,
  disabled,
  onChange,
}: {
  readonly value: Priority;
  readonly disabled: boolean;
  readonly onChange: (wish: Priority) => void;
}): ReactElement => (
  <NativeSelect
    label={texts.priority.label}
    data={priorities.map((known) => ({ value: known, label: texts.priority.means[known] }))}
    value={value}
    disabled={disabled}
    onChange={({ currentTarget }) => {
      if (isPriority(currentTarget.value)) onChange(currentTarget.value);
    }}
  />
);
