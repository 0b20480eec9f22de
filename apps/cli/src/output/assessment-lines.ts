import type { AssessmentPart, AssessmentView } from '@fleet/contracts';
import { plainLine } from '@fleet/session-report';
import type { Paint } from '../terminal';

const writer = ({ writtenBy, target = '', model = '' }: AssessmentView): string =>
  writtenBy === 'model' ? `by the model ${model} of ${target}` : 'by the rules';

const waiting = ({ state, askedAt = '' }: AssessmentView): readonly string[] =>
  state === 'asked'
    ? ['', `A model was asked ${askedAt.slice(0, 19).replace('T', ' ')} UTC, and has not answered yet.`]
    : [];

/** Each number that the session does not have, with the words around it. */
const marks = ({ text, unsupported = [] }: AssessmentPart, paint: Paint): readonly string[] =>
  unsupported.map(({ text: number, at }) => {
    const around = text.slice(Math.max(0, at - 20), at + number.length + 10);
    return paint('yellow', plainLine(`  ! ${number} is no number of this session: "…${around}…"`));
  });

const partLines = (part: AssessmentPart, paint: Paint): readonly string[] => [
  '',
  paint('bold', plainLine(part.title)),
  `  ${plainLine(part.text)}`,
  ...marks(part, paint),
];

/** An assessment for people; its text comes from outside. */
export const assessmentLines = (view: AssessmentView, paint: Paint): readonly string[] => {
  const { id, status, writtenAt, parts } = view;
  const at = writtenAt.slice(0, 16).replace('T', ' ');
  return [
    paint('bold', plainLine(`${id}  ${status}, assessed ${writer(view)} ${at} UTC`)),
    ...parts.flatMap((part) => partLines(part, paint)),
    ...waiting(view),
  ];
};
