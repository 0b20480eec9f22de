import { NativeSelect, TextInput } from '@mantine/core';
import { useEffect, type ReactElement } from 'react';
import { useMe } from '../../parts/use-me';
import { submitTexts } from '../../texts/submit';

/** One of the user's proposals; typed if they may submit to any. */
export const ProposalField = ({
  proposal,
  onChange,
}: {
  readonly proposal: string;
  readonly onChange: (proposal: string) => void;
}): ReactElement => {
  const me = useMe();
  const theirs = me.data?.proposals ?? [];
  const [first] = theirs;
  useEffect(() => {
    if (first !== undefined && proposal === '') onChange(first);
  }, [first, proposal, onChange]);
  if (me.data?.role === 'admin' || first === undefined)
    return (
      <TextInput
        label={submitTexts.fields.proposal}
        value={proposal}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  return (
    <NativeSelect
      label={submitTexts.fields.proposal}
      data={[...theirs]}
      value={proposal}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
};
