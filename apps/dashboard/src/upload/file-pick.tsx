import { IconUpload } from '@tabler/icons-react';
import { useId, type ReactElement, type Ref } from 'react';
import type { UploadRules } from '@fleet/contracts/uploads';
import { bytesText } from '@fleet/session-report';
import { uploadTexts } from '../texts/upload';
import { useDropped } from './use-dropped';
import css from '../parts/drop.module.css';

const words = uploadTexts;

/** Picks files; they can be dropped anywhere on the page. */
export const FilePick = ({
  ref,
  rules: { maxFileBytes, keepHours },
  onFiles,
}: {
  readonly ref: Ref<HTMLInputElement>;
  readonly rules: UploadRules;
  readonly onFiles: (files: readonly File[]) => void;
}): ReactElement => {
  const hint = useId();
  const isOver = useDropped(onFiles);
  return (
    <>
      <label className={css.drop} data-testid="drop" data-over={isOver}>
        <IconUpload size={18} aria-hidden="true" />
        <span>
          <b>{words.pick}</b> {words.drop}
        </span>
        <input
          className={css.input}
          ref={ref}
          aria-describedby={hint}
          type="file"
          multiple

          onChange={({ currentTarget }) => {
            onFiles([...(currentTarget.files ?? [])]);
            currentTarget.value = '';
          }}
        />
      </label>
      <p id={hint} className="quiet small">
        {words.limit(bytesText(maxFileBytes), keepHours)}
      </p>
    </>
  );
};
