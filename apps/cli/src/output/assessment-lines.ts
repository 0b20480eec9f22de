import type { AssessmentView } from '@fleet/contracts';
import { plainLine } from '@fleet/session-report';
import type { Paint } from '../terminal';

/** An assessment for people; its text comes from outside. */
export const assessmentLines = ({ id, status, parts, writtenAt }: AssessmentView, paint: Paint): readonly string[] => [
  paint('bold', plainLine(`${id}  ${status}, assessed by the rules ${writtenAt.slice(0, 16).replace('T', ' ')} UTC`)),
  ...parts.flatMap(({ title, text }) => ['', paint('bold', plainLine(title)), `  ${plainLine(text)}`]),
];
