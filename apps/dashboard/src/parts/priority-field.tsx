import { NativeSelect } from '@mantine/core';
import type { ReactElement } from 'react';
import { priorities, type Priority } from '@fleet/contracts/launches';
import { priorityTexts } from '../texts/shell';

const isPriority = (value: string): value is Priority => priorities.some((known) => known === value);

/** A choice of the priority, with explanations. */
export const PriorityField = ({
  value,
  disabled,
  onChange,
}: {
  readonly value: Priority;
  readonly disabled: boolean;
  readonly onChange: (priority: Priority) => void;
}): ReactElement => (
  <NativeSelect
    label={priorityTexts.label}
    data={priorities.map((known) => ({ value: known, label: priorityTexts.means[known] }))}
    value={value}
    disabled={disabled}
    onChange={({ currentTarget }) => {
      if (isPriority(currentTarget.value)) onChange(currentTarget.value);
    }}
  />
);
