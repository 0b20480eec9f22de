import { Paper } from '@mantine/core';
import type { ReactElement } from 'react';
import type { SessionView } from '@fleet/contracts/sessions';
import { askAssessment, fetchAssessment } from '../../../api/story-calls';
import { assessmentTexts } from '../../../texts/written';
import { WrittenText } from './written-text';

/** The assessment of a session, in five parts. */
export const AssessmentPanel = ({
  session: { id, version, request },
}: {
  readonly session: SessionView;
}): ReactElement => (
  <Paper>
    <WrittenText
      name="assessment"
      words={assessmentTexts}
      source={{
        queryKey: ['session', id, 'assessment'],
        look: (signal) => fetchAssessment(id, signal),
        ask: () => askAssessment(id),
        isCurrent: (view) => view.version === version,
        rulesOnly: request.settings.use_rules_only,
      }}
    />
  </Paper>
);
