// Requirements on the machine: Linux, root, and some Debian packages, which are installed if missing.
import fs from 'node:fs';
import path from 'node:path';
import { needDebianPackages, onPath, systemPath } from '../setup/commands.mjs';
import { SetupProblem, step } from '../setup/progress.mjs';
import { apiPort, cniPlugins } from './layout.mjs';

const elsewhere = 'Or set KUBECONFIG to a cluster you have: it serves instead.';

/** A package, and a file that exists once it is installed. */
const always = { openssl: 'openssl', iproute2: 'ip', 'util-linux': 'nsenter', mount: 'mount', tar: 'tar' };
const forNode = {
  containerd: 'containerd',
  runc: 'runc',
  nftables: 'nft',
  'containernetworking-plugins': path.join(cniPlugins, 'ptp'),
  buildah: 'buildah', // builds the images that the tests load
  debootstrap: 'debootstrap', // builds their base image if no registry can be reached
};

const isThere = (file) => (path.isAbsolute(file) ? fs.existsSync(file) : onPath([file], systemPath()) !== undefined);

export function needRoot() {
  if (process.platform !== 'linux') throw new SetupProblem('The cluster needs Linux.', elsewhere);
  if (process.getuid() !== 0)
    throw new SetupProblem('The cluster needs root: it makes namespaces, cgroups and containers.', elsewhere);
}

function needPort() {
  const port = Number(apiPort);
  if (Number.isInteger(port) && port > 1023 && port < 65536) return;
  throw new SetupProblem(`FLEET_CLUSTER_PORT=${apiPort}: a port from 1024 to 65535 is needed.`);
}

/** Installs missing packages; without Debian and root, prints their names and stops. */
export async function ensureRequirements({ node }) {
  needRoot();
  needPort();
  const packages = Object.entries({ ...always, ...(node && forNode) });
  const missing = packages.filter(([, file]) => !isThere(file)).map(([name]) => name);
  if (missing.length === 0) return;
  await step(`Install ${missing.join(', ')}`, async () => {
    await needDebianPackages(missing, `The cluster needs ${missing.join(', ')}. ${elsewhere}`);
    return {};
  });
}
