import type { JsonValue, SessionEvent } from '@fleet/contracts/sessions';
import type { DecideResponse } from '@fleet/decision-api';
import { fileUseText } from '@fleet/session-report';
import type { Paint } from '../terminal';

type Row = Readonly<Record<string, JsonValue>>;

const rowsOf = (events: readonly SessionEvent[], type: SessionEvent['type'], key: string): readonly Row[] => {
  const rows = events.findLast((event) => event.type === type)?.data[key];
  return Array.isArray(rows) ? (rows as readonly Row[]) : [];
};

const say = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : JSON.stringify(value ?? ''));

const indented = (title: string, lines: readonly string[], paint: Paint): readonly string[] =>
  lines.length === 0 ? [] : [paint('bold', title), ...lines.map((line) => `  ${line}`)];

/** The reading of the user's advice. */
const adviceLines = (advice: DecideResponse['metadata']['advice'], paint: Paint): readonly string[] => {
  if (advice === null) return [];
  const title = advice.followed ? 'understood' : 'understood, not followed: the request has directives';
  return [
    ...indented(
      title,
      advice.understood.map(({ says, words }) => `${says}  <- "${words}"`),
      paint,
    ),
    ...indented(
      'not followed',
      advice.not_followed.map(({ words, why }) => `"${words}": ${why}`),
      paint,
    ),
  ];
};

/** Why each program was offered or not, and the origin of each token of the command. */
export const explainLines = (response: DecideResponse, paint: Paint): readonly string[] => {
  const { decision, metadata, events, error, problems } = response;
  if (error !== null) {
    const lines = problems.map(({ field, reason, allowed }) => `${field}: ${reason} (${allowed ?? 'nothing else'})`);
    return indented('not a v2 request', lines.length > 0 ? lines : [error], paint);
  }
  const chosen = `${decision.program} (${metadata.experiment_type ?? '?'}, ${metadata.workflow_state ?? '?'})`;
  const tokens = rowsOf(events, 'command_built', 'tokens');
  const files = rowsOf(events, 'files_selected', 'files');
  return [
    paint(response.stop ? 'yellow' : 'green', `${chosen}: ${decision.reasoning}`),
    ...indented('offered', metadata.valid_programs, paint),
    ...indented(
      'not offered',
      metadata.not_offered.map(({ program, why }) => `${program}: ${why}`),
      paint,
    ),
    ...indented(
      'command',
      tokens.map(({ token, source, detail }) => `${say(token)}  <- ${say(source)}, ${say(detail)}`),
      paint,
    ),
    ...indented(
      'files',
      files.map(({ slot, path, why }) => `${say(slot)} = ${say(path)}  <- ${say(why)}`),
      paint,
    ),
    ...indented('submitted files', metadata.files.map(fileUseText), paint),
    ...adviceLines(metadata.advice, paint),
    ...indented('warnings', [...metadata.red_flags, ...metadata.warnings], paint),
    ...indented(
      'ignored',
      response.debug.log.filter((line) => line.startsWith('REQUEST: ')),
      paint,
    ),
  ];
};
