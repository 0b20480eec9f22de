import { answers } from './answers';

const description = 'For administrators; disabled with FLEET_ADMIN_API=off.';

export const DoctorDocs = (): MethodDecorator =>
  answers({
    summary: 'What is wrong with the site, as this gateway and an executor see it, why it matters and what to do',
    description: `Tries the work volume in a folder that it removes, asks the database and Redis, and looks at clocks, data folders and programs, and tells what an executor saw last; takes at most ten seconds. ${description}`,
    status: 200,
    schema: 'Checkup',
    errors: [404],
  });

export const TrialDocs = (): MethodDecorator =>
  answers({
    summary: 'The last trial, and what it found',
    description: `A trial starts pods (locally: a process) as programs are started, only to see what a program would see. ${description}`,
    status: 200,
    schema: 'TrialAnswer',
    errors: [404],
  });

export const AskTrialDocs = (): MethodDecorator =>
  answers({
    summary: 'Asks for a trial: pods that see what a program would see',
    description: `An executor starts one for each source of programs, class of nodes and user of a proposal (five users at the most), and removes them; it takes seconds, or minutes where an image has to be pulled. One trial at a time: where one is under way, that one is answered. ${description}`,
    changes: true,
    status: 202,
    schema: 'Trial',
    errors: [404],
  });
