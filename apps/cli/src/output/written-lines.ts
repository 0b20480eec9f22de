import type { AssessmentView, LogSummaryView, WrittenPart } from '@fleet/contracts/results';
import { plainLine } from '@fleet/session-report';
import type { Paint } from '../terminal';

type View = AssessmentView | LogSummaryView;

const writer = ({ writtenBy, target = '', model = '' }: View): string =>
  writtenBy === 'model' ? `by the model ${model} of ${target}` : 'by the rules';

const waiting = ({ state, requestedAt = '' }: View): readonly string[] =>
  state === 'pending'
    ? ['', `A model was asked ${requestedAt.slice(0, 19).replace('T', ' ')} UTC and has not answered yet.`]
    : [];

/** Each unsupported number, with its context. */
const marks = ({ text, unsupported = [] }: WrittenPart<string>, of: string, paint: Paint): readonly string[] =>
  unsupported.map(({ text: number, at }) => {
    const around = text.slice(Math.max(0, at - 20), at + number.length + 10);
    return paint('yellow', plainLine(`  ! ${number} is not a number of this ${of}: "…${around}…"`));
  });

const textLines = (view: View, heading: string, of: string, paint: Paint): readonly string[] => {
  const at = view.writtenAt.slice(0, 16).replace('T', ' ');
  return [
    paint('bold', plainLine(`${heading} ${writer(view)} ${at} UTC`)),
    ...view.parts.flatMap((part) => [
      '',
      paint('bold', plainLine(part.title)),
      `  ${plainLine(part.text)}`,
      ...marks(part, of, paint),
    ]),
    ...waiting(view),
  ];
};

/** An assessment as lines; its text is untrusted. */
export const assessmentLines = (view: AssessmentView, paint: Paint): readonly string[] =>
  textLines(view, `${view.id}  ${view.status}, assessed`, 'session', paint);

/** The summary of a log as lines; its text is untrusted. */
export const logSummaryLines = (view: LogSummaryView, paint: Paint): readonly string[] =>
  textLines(view, `${view.id}  cycle ${String(view.cycle)}, ${view.program}, log summary`, 'run', paint);
