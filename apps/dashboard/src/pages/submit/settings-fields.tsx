import { Badge, NativeSelect, Paper, TextInput } from '@mantine/core';
import type { ReactElement } from 'react';
import type { SettingDefinition } from '@fleet/contracts/service';
import { submitTexts } from '../../texts/submit';
import type { Draft } from './draft';
import { Columns } from '../../parts/columns';

const words = submitTexts.settings;

interface Setting {
  readonly name: string;
  readonly definition: SettingDefinition;
  /** Undefined: the default. */
  readonly typed: string | boolean | undefined;
  readonly onType: (typed: string | boolean) => void;
}

const usual = ({ default: value }: SettingDefinition): string => {
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  return typeof value === 'object' ? value.join(', ') || words.empty : String(value);
};

const Field = ({ name, definition, typed, onType }: Setting): ReactElement => {
  const shown = { size: 'xs', label: name.replaceAll('_', ' '), description: definition.what } as const;
  const hint = words.hint(usual(definition));
  if (definition.type === 'boolean' || definition.type === 'choice') {
    const options =
      definition.type === 'choice'
        ? definition.choices.map((value) => ({ value, label: value }))
        : [
            { value: 'true', label: words.yes },
            { value: 'false', label: words.no },
          ];
    return (
      <NativeSelect
        {...shown}
        data={[{ value: '', label: hint }, ...options]}
        value={String(typed ?? '')}
        onChange={({ currentTarget: { value } }) =>
          onType(definition.type === 'boolean' && value !== '' ? value === 'true' : value)
        }
      />
    );
  }
  return (
    <TextInput
      {...shown}
      placeholder={definition.type === 'list' ? words.list : hint}
      {...(definition.type !== 'list' && { inputMode: 'decimal' as const })}
      value={String(typed ?? '')}
      onChange={({ currentTarget }) => onType(currentTarget.value)}
    />
  );
};

/** All settings of a submission, as described by the API. */
export const SettingsFields = ({
  definitions,
  settings,
  onChange,
}: {
  readonly definitions: Readonly<Record<string, SettingDefinition>>;
  readonly settings: Draft['settings'];
  readonly onChange: (settings: Draft['settings']) => void;
}): ReactElement => {
  const changed = Object.values(settings).filter((typed) => typed !== '').length;
  return (
    <Paper component="details">
      <summary>
        {words.title}{' '}
        {changed > 0 && (
          <Badge component="span" ml="xs">
            {words.changed(changed)}
          </Badge>
        )}
      </summary>
      <Columns least={230} mt="sm">
        {Object.entries(definitions).map(([name, definition]) => (
          <Field
            key={name}
            name={name}
            definition={definition}
            typed={settings[name]}
            onType={(typed) => onChange({ ...settings, [name]: typed })}
          />
        ))}
      </Columns>
    </Paper>
  );
};
