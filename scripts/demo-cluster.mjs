#!/usr/bin/env node
// npm run demo:cluster: the whole fleet on a real Kubernetes, installed with Helm. Every program is a Job in its own pod.
// docs: scripts/cluster/README.md (the cluster), helm/phenix-fleet/README.md (the chart), docs/container-images.md (the images).
import fs from 'node:fs';
import path from 'node:path';
import { layOutCrystals } from './campaign/crystals.mjs';
import { campaignLines, runCampaign, userKey } from './campaign/run-campaign.mjs';
import { Client } from './demo-cluster/client.mjs';
import { cluster, toolsOf } from './demo-cluster/cluster-tools.mjs';
import { differences, jobsLeft, jobsOf, ownersOf, table } from './demo-cluster/evidence.mjs';
import { LaunchDiary, launchedMeanwhile } from './demo-cluster/launches.mjs';
import { PortForward } from './demo-cluster/port-forward.mjs';
import {
  adminKey,
  inPods,
  install,
  makeFolders,
  names,
  proposal,
  removeNamespace,
  runningImages,
  uninstall,
  upgrade,
  workMount,
} from './demo-cluster/release.mjs';
import { command, isInterrupted } from './setup/command.mjs';
import { run } from './setup/commands.mjs';
import { datasets, layOut, placedLysozyme } from './setup/demo-data.mjs';
import { ensureBuild, ensureNodePackages } from './setup/node-packages.mjs';
import { checkout } from './setup/paths.mjs';
import { SetupProblem, step } from './setup/progress.mjs';
import { kubeconfigFile as ownKubeconfig } from './cluster/layout.mjs';

const usage = `Installs the fleet on a real Kubernetes with Helm and solves a real structure, each program a Job in a pod of its own.

npm run demo:cluster -- [options]
  --dataset NAME     ${Object.keys(datasets).join(', ')} (default nutlin)
  --work DIR         where data and results lie (default /var/tmp/phenix-fleet-demo-cluster)
  --keep             leave cluster and fleet running and say how to continue; skips helm uninstall
  --only-session     no upgrade with work in flight
  --only-upgrade     no session before the one that is upgraded on its way, which then goes to its own end
  --campaign N       a batch of N datasets besides, submitted with the key of a user; one in ten fails, is repaired and runs again
  --json FILE        write what was seen to FILE
  --help

What it does: cluster up (the first time it builds: 10 min), images, helm install, a session through the Service, helm upgrade to
the next version with a second session in flight and launches drained meanwhile, helm uninstall with a third. It ends what it started. Needs Linux, root and Go,
or KUBECONFIG of a one-node cluster whose node shares this machine's files and has the images.

Exit code: 0 everything as promised, 6 the science failed, 1 something else went wrong, 130 interrupted.
`;

const options = {
  dataset: { type: 'string', default: 'nutlin' },
  work: { type: 'string', default: '/var/tmp/phenix-fleet-demo-cluster' },
  keep: { type: 'boolean', default: false },
  'only-session': { type: 'boolean', default: false },
  'only-upgrade': { type: 'boolean', default: false },
  campaign: { type: 'string', default: '0' },
  json: { type: 'string' },
};

const nextVersion = 'demo-next';
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Running processes, to be ended when the user interrupts or a step fails. */
const live = {
  tools: undefined,
  forward: undefined,
  phx: undefined,
  user: undefined,
  startedCluster: false,
};

function checked(values) {
  const wrong = (what) => new SetupProblem(what, 'npm run demo:cluster -- --help');
  if (!Object.hasOwn(datasets, values.dataset)) throw wrong(`There is no data set ${values.dataset}.`);
  if (values['only-session'] && values['only-upgrade']) throw wrong('--only-session and --only-upgrade leave nothing.');
  if (!/^\d{1,4}$/.test(values.campaign)) throw wrong('--campaign takes a number up to 9999.');
  return { ...values, campaign: Number(values.campaign), work: path.resolve(values.work) };
}

async function prepare() {
  await ensureNodePackages();
  await ensureBuild();
  live.startedCluster = !process.env.KUBECONFIG && !(await isUp());
  const kubeconfig = await cluster('up');
  live.tools = toolsOf(kubeconfig);
  if (kubeconfig !== ownKubeconfig) return; // the cluster's node already has the images
  const images = path.join(checkout, 'scripts', 'images.mjs');
  const load = (only, ...more) =>
    run(process.execPath, [images, 'load', '--only', only, ...more], { what: 'images load' });
  await step('images into the cluster', () => load('service,postgres,redis,open-phenix').then(() => ({})));
  await step('the next version of the services', () => load('service', '--tag', nextVersion).then(() => ({})));
}

async function isUp() {
  try {
    await cluster('status');
    return true;
  } catch (error) {
    if (error instanceof SetupProblem) return false;
    throw error;
  }
}

async function installFleet(chosen) {
  const folders = makeFolders(chosen.work);
  const files = await layOut(chosen.dataset, path.join(folders.data, chosen.dataset));
  await uninstall(live.tools); // left by an interrupted demo
  await removeNamespace(live.tools);
  await step('helm install', () => install(live.tools, folders).then(() => ({})));
  await openForward();
  return { folders, files: files.map((file) => inPods(folders.data, file)) };
}

async function openForward() {
  live.forward = new PortForward(live.tools, names.namespace, names.gateway);
  live.phx = new Client(await live.forward.open(), await adminKey(live.tools));
}

const submit = (files, title, ...options) =>
  live.phx.submit(files, '--title', title, '--proposal', proposal.name, '--beamline', 'demo', ...options);

const hasEnded = ({ status }) => ['completed', 'unsatisfactory', 'failed', 'cancelled'].includes(status);

/** True while a program of this cycle or a later one runs in a pod. */
const runs = (cycle) => (record) =>
  hasEnded(record) || record.cycles.some((each) => each.cycle >= cycle && each.attempts.some(({ ending }) => !ending));

async function firstSession({ folders, files }) {
  const id = await submit(files, 'demo on a cluster');
  const code = await live.phx.say('watch', id);
  if (isInterrupted()) return undefined;
  const record = await live.phx.json('show', id);
  const jobs = await jobsOf(live.tools, id);
  const owners = ownersOf(folders.work, record, workMount);
  process.stdout.write(`\nEach program in a pod of its own, as user ${proposal.uid} of proposal ${proposal.name}:\n`);
  process.stdout.write(`${table(record, jobs)}\n`);
  return { code, record, jobs, owners, differences: differences(record, jobs) };
}

/** Many datasets as one batch, submitted by a user without administrator rights. */
async function campaignOf({ folders }, count) {
  const folder = fs.mkdtempSync(path.join(folders.data, 'campaign-'));
  fs.chmodSync(folder, 0o755);
  const crystals = layOutCrystals(await placedLysozyme(), folder, count);
  live.user = new Client(live.phx.url, await userKey(live.phx, proposal.name));
  const shown = (file) => inPods(folders.data, file);
  const seen = await runCampaign(live.user, { crystals, folder, proposal: proposal.name, shown });
  process.stdout.write(`${campaignLines(seen).join('\n')}\n`);
  return seen;
}

/** The upgrade happens in the third cycle; two more cycles show that the session continues. */
function directivesFile({ work }) {
  const file = path.join(path.dirname(work), 'five-cycles.yaml');
  fs.writeFileSync(file, 'stop_conditions: { after_cycle: 5 }\n');
  return file;
}

/**
 * Runs helm upgrade while a program runs: its pod and its session continue. A session submitted meanwhile starts afterwards.
 * `toItsEnd`: no directive ends the session after its fifth cycle.
 */
async function upgradeDuringSession({ folders, files }, toItsEnd) {
  const directives = toItsEnd ? [] : ['--directives', directivesFile(folders)];
  const id = await submit(files, 'under way during an upgrade', ...directives);
  const following = live.phx.follow(id);
  const before = await live.phx.untilRecord(id, runs(3), 10);
  const inFlight = (await jobsOf(live.tools, id)).filter(({ pods }) => pods.some(({ phase }) => phase === 'Running'));
  const oldPods = (await runningImages(live.tools)).map(({ pod }) => pod);
  const diary = new LaunchDiary(live.phx);
  const holding = diary.saw('draining').then((drained) => (drained ? submitHeld(files) : undefined));
  const upgraded = await step(
    `helm upgrade to ${nextVersion} while ${before.cycles.at(-1)?.decision.program} runs`,
    () => upgrade(live.tools, folders, nextVersion).then((value) => ({ value })),
  );
  const images = await runningImages(live.tools);
  const launches = await diary.stop();
  const held = await outcomeOf(await holding);
  const record = await live.phx.untilRecord(id, hasEnded, 20);
  const jobs = await jobsOf(live.tools, id);
  const adopted = inFlight.filter(({ pods: [was] }) => jobs.some(({ pods: [is] }) => is?.podUid === was.podUid));
  process.stdout.write(`\nThe session that was under way: ${record.status}\n${table(record, jobs)}\n`);
  return {
    record,
    jobs,
    owners: ownersOf(folders.work, record, workMount),
    said: upgraded,
    launches,
    held,
    launchedMeanwhile: launchedMeanwhile(launches, [...jobs, ...held.jobs]).map(({ job }) => job),
    watched: await following,
    inFlight: inFlight.map(({ job }) => job),
    adopted: adopted.map(({ job }) => job),
    replaced: oldPods.filter((pod) => !images.some((each) => each.pod === pod)),
    images,
    differences: [...differences(record, jobs), ...differences(held.record, held.jobs)],
  };
}

/** A session of one program. */
const submitHeld = (files) => submit(files, 'submitted during an upgrade', '--set', 'max_cycles=1');

async function outcomeOf(id) {
  if (id === undefined) throw new SetupProblem('Launches were never drained: the hook of the upgrade did nothing.');
  const record = await live.phx.untilRecord(id, hasEnded, 10);
  return { record, jobs: await jobsOf(live.tools, id) };
}

/** Runs helm uninstall while a program runs. */
async function uninstallDuringSession({ files }) {
  const id = await submit(files, 'under way during an uninstall');
  await live.phx.untilRecord(id, runs(1), 10);
  const before = await jobsLeft(live.tools);
  await live.forward.close();
  await step('helm uninstall while it runs', () => uninstall(live.tools).then(() => ({})));
  const left = await untilNoJobs();
  const remaining =
    left.length === 0 ? 'No Job is left.' : `These Jobs are left, their namespace is not the chart's: ${left}`;
  process.stdout.write(`Before: ${before.length} Jobs. ${remaining}\n`);
  return { before, left };
}

/** Waits for the Jobs to go: deleting the namespace removes them a moment after helm returns. */
async function untilNoJobs() {
  const deadline = Date.now() + 120_000;
  for (;;) {
    const left = await jobsLeft(live.tools);
    if (left.length === 0 || Date.now() > deadline) return left;
    await pause(1000);
  }
}

const brokenByUpgrade = (second) => [
  ...second.differences.map((each) => `during the upgrade: ${each}`),
  ...second.launchedMeanwhile.map((job) => `${job} was made while launches were drained`),
  ...(second.watched.code === 0 ? [] : [`phx watch ended with ${second.watched.code}: ${second.watched.words}`]),
  ...(second.adopted.length < second.inFlight.length ? ['a running pod did not survive the upgrade'] : []),
];

const broken = ({ first, campaign, second, removal }) => [
  ...(first?.differences ?? []),
  ...(campaign?.problems ?? []),
  ...(second === undefined ? [] : brokenByUpgrade(second)),
  ...(removal?.left.map((job) => `helm uninstall left ${job}`) ?? []),
];

function conclude(seen, { json }) {
  if (json) fs.writeFileSync(json, `${JSON.stringify(seen, null, 2)}\n`);
  const problems = broken(seen);
  for (const problem of problems) process.stderr.write(`NOT as promised: ${problem}\n`);
  const failed = [seen.first?.record, seen.second?.record].some((record) => record && record.status !== 'completed');
  if (problems.length > 0) return 1;
  return failed ? 6 : 0;
}

function sayHowToGoOn() {
  process.stdout.write(
    [
      '\nEverything is still running. Continue with:',
      '  eval "$(node scripts/cluster.mjs env)"',
      `  kubectl -n ${names.namespace} port-forward service/${names.gateway} 8080:80 &`,
      `  export FLEET_API_KEY="$(kubectl -n ${names.namespace} get secret ${names.adminKey} -o jsonpath='{.data.key}' | base64 -d)"`,
      '  npx phx list',
      'Stop it with:',
      `  helm uninstall ${names.release} -n ${names.namespace}; npm run cluster:down\n`,
    ].join('\n'),
  );
}

async function demo(values) {
  const chosen = checked(values);
  await prepare();
  const installed = await installFleet(chosen);
  const first = chosen['only-upgrade'] ? undefined : await firstSession(installed);
  if (isInterrupted()) return 130;
  const campaign = chosen.campaign === 0 ? undefined : await campaignOf(installed, chosen.campaign);
  const second = chosen['only-session'] ? undefined : await upgradeDuringSession(installed, chosen['only-upgrade']);
  const removal = chosen.keep ? undefined : await uninstallDuringSession(installed);
  const code = conclude({ first, campaign, second, removal }, chosen);
  if (chosen.keep) sayHowToGoOn();
  return code;
}

/** Removes everything of the demo except its folder, whatever state it is in. */
async function tearDown({ keep }) {
  live.phx?.close();
  live.user?.close();
  await live.forward?.close();
  if (keep || live.tools === undefined) return;
  try {
    await uninstall(live.tools);
    await removeNamespace(live.tools);
  } catch (error) {
    const purge = `helm uninstall ${names.release} -n ${names.namespace}; npm run cluster:down`;
    process.stderr.write(`\nThe fleet could not be removed and may still run. End it with:\n  ${purge}\n`);
    throw error;
  }
  if (live.startedCluster) await cluster('down');
}

command({
  call: 'npm run demo:cluster --',
  usage,
  options,
  work: demo,
  stopping: 'the fleet is uninstalled with its Jobs',
  tearDown,
});
