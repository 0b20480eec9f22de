// kube-router, which makes NetworkPolicies count: iptables rules and ipsets in the cluster's own network namespace, not the host's.
import { binary } from './binaries.mjs';
import { runInside } from './namespaces.mjs';
import { ensurePartRequirements } from './requirements.mjs';
import { SetupProblem } from '../../scripts/setup/progress.mjs';

/** Before it starts: its packages, and a kernel that has sets of addresses. */
export async function prepareKubeRouter(state) {
  if (!state.node)
    throw new SetupProblem('kube-router needs a node with pods.', 'This cluster was made --without-node.');
  await ensurePartRequirements('kube-router');
  await runInside(state.anchor, 'ipset', ['list', '-name']);
}

/** What a kube-router that has ended leaves in force: every flow passes again. */
export const removeRules = (state) => runInside(state.anchor, binary('kube-router'), ['--cleanup-config']);
