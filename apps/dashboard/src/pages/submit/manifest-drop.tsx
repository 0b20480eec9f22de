import { IconUpload } from '@tabler/icons-react';
import { useState, type DragEvent, type ReactElement } from 'react';
import { submitTexts } from '../../texts/submit';
import css from '../../parts/drop.module.css';

/** Maximum bytes of an editable manifest. */
const largest = 1_000_000;

const words = submitTexts.manifest;

/** Accepts a manifest that is dropped or chosen. */
export const ManifestDrop = ({
  onText,
  onProblem,
}: {
  readonly onText: (name: string, text: string) => void;
  readonly onProblem: (problem: string) => void;
}): ReactElement => {
  const [isOver, setOver] = useState(false);
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    if (file.size > largest) onProblem(words.tooLarge);
    else onText(file.name, await file.text());
  };
  const over = (event: DragEvent): void => {
    event.preventDefault();
    setOver(true);
  };
  return (
    <label
      className={css.drop}
      data-testid="drop"
      data-over={isOver}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        void take(event.dataTransfer.files[0]);
      }}
    >
      <IconUpload size={18} aria-hidden="true" />
      {words.drop}
      <input
        className={css.input}
        type="file"

        accept=".csv,.tsv,.yaml,.yml,.jsonl,.ndjson"
        onChange={({ currentTarget }) => {
          void take(currentTarget.files?.[0]);
          currentTarget.value = '';
        }}
      />
    </label>
  );
};
