import { sessionIdPattern, type Session } from '@fleet/contracts/sessions';

/** Ids of other sessions whose folders contain submitted files of this one, from the paths `<work root>/<proposal>/<id>/…`. */
export const usedSessions = ({ id, request }: Pick<Session, 'id' | 'request'>): readonly string[] => {
  const steps = request.inputs.flatMap(({ path }) => path.split('/').slice(1, -1));
  return [...new Set(steps.filter((step) => step !== id && sessionIdPattern.test(step)))].sort();
};
