import { Paper } from '@mantine/core';
import type { ReactElement } from 'react';
import type { SessionView } from '@fleet/contracts/sessions';
import { api } from '../../../api/calls';
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
        look: (signal) => api.json('GET /v1/sessions/{id}/assessment', { path: { id } }, { signal }),
        ask: () => api.json('POST /v1/sessions/{id}/assessment', { path: { id } }),
        isCurrent: (view) => view.version === version,
        rulesOnly: request.settings.use_rules_only,
      }}
    />
  </Paper>
);
