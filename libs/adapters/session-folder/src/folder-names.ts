import { Fault } from '@fleet/contracts/faults';
import { sessionIdPattern } from '@fleet/contracts/sessions';
import { join } from 'node:path';

const proposalForm = /^[A-Za-z0-9._-]{1,64}$/;

/** Whether a proposal is a safe folder name: letters, digits, `.`, `_`, `-`; not only dots. */
export const isProposalName = (name: string): boolean => proposalForm.test(name) && !/^\.+$/.test(name);

/**
 * The folder of a session, `<work root>/<proposal>/<session id>`.
 * @throws Fault `session.bad_proposal` or `session.bad_id`
 */
export const sessionFolderPath = (workRoot: string, proposal: string, id: string): string => {
  if (!isProposalName(proposal)) {
    const allowed = '1 to 64 letters, digits, ".", "_" or "-", not dots alone';
    throw new Fault('session.bad_proposal', 'caller', `proposal "${proposal}" cannot name a folder`, {
      problems: [{ field: 'proposal', reason: 'cannot name a folder', allowed }],
    });
  }
  if (!sessionIdPattern.test(id)) throw new Fault('session.bad_id', 'caller', `"${id}" is not a session id`);
  return join(workRoot, proposal, id);
};
