import {
  advise,
  allRun,
  cancel,
  cancelBatch,
  fork,
  hasEnded,
  hasMade,
  inWorld,
  isAnalysing,
  isDeciding,
  isRunning,
  isWaiting,
  meanwhile,
  prioritise,
  removeLastCycle,
  resume,
  secondId,
  submit,
  submitAnother,
  submitBatch,
  until,
  work,
} from './acts';
import type { Act, Path } from './play';

const toTheEnd: readonly Act[] = [work()];
const running: readonly Act[] = [submit({ settings: { max_cycles: 1 } }), work(until(isRunning))];
const analysing: readonly Act[] = [...running, work(until(isAnalysing))];
const ended: readonly Act[] = [...running, work()];

/** Each way of a session through the step protocol, and at how many points of it something can happen. */
export const ways: readonly Path[] = [
  {
    name: 'a session of two cycles, from its submission to its end and its files',
    deaths: 75,
    failures: 175,
    acts: [submit(), ...toTheEnd, work((world) => world.isWritten())],
    queuesMayBeLost: true,
  },
  {
    name: 'a program whose end is seen at once',
    deaths: 8,
    failures: 26,
    before: [...running, inWorld((world) => (world.endsAreSeen = true))],
    acts: toTheEnd,
  },
  {
    name: 'a program that is lost, and its next attempt',
    deaths: 24,
    failures: 53,
    before: [...running, inWorld((world) => (world.losses = 1))],
    acts: [work(until((session) => session.attempt === 2 && isRunning(session)))],
    after: toTheEnd,
  },
  {
    name: 'a program that waits for its place',
    deaths: 56,
    failures: 139,
    before: [
      inWorld((world) => (world.mostRunning = 1)),
      ...running,
      inWorld((world) => (world.programsEnd = false)),
      submitAnother,
      work(until(isDeciding, secondId)),
    ],
    acts: [
      work(until(isWaiting, secondId)),
      inWorld((world) => (world.programsEnd = true)),
      work(until(isRunning, secondId)),
    ],
    after: toTheEnd,
  },
];

/** Whatever else is asked for. */
export const requests: readonly Path[] = [
  {
    name: 'advice that changes in each stage',
    deaths: 36,
    failures: 91,
    before: [submit()],
    acts: [
      advise('use a resolution of 2.0'),
      work(until(isRunning)),
      advise('use a resolution of 2.5'),
      work(until(isAnalysing)),
      advise('stop'),
      ...toTheEnd,
    ],
  },
  {
    name: 'advice that comes in the middle of a decision',
    deaths: 15,
    failures: 40,
    before: [submit({ settings: { max_cycles: 1 } }), meanwhile('decide', advise('use a resolution of 2.0'))],
    acts: [work(until(isRunning))],
    after: toTheEnd,
  },
  {
    name: 'advice that comes in the middle of an analysis',
    deaths: 5,
    failures: 12,
    before: [submit(), work(until(isAnalysing)), meanwhile('analyse', advise('stop'))],
    acts: toTheEnd,
  },
  {
    name: 'a priority that changes while a program runs',
    deaths: 24,
    failures: 54,
    before: running,
    acts: [prioritise, work(until(isAnalysing))],
    after: toTheEnd,
  },
  {
    name: 'a cancel before anything is decided',
    deaths: 8,
    failures: 18,
    before: [submit()],
    acts: [cancel, ...toTheEnd],
  },
  {
    name: 'a cancel while a program runs',
    deaths: 8,
    failures: 18,
    before: running,
    acts: [cancel, ...toTheEnd],
    queuesMayBeLost: true,
  },
  {
    name: 'a cancel in the middle of an analysis',
    deaths: 7,
    failures: 15,
    before: [...analysing, meanwhile('analyse', cancel)],
    acts: toTheEnd,
  },
  {
    name: 'a resume',
    deaths: 15,
    failures: 37,
    before: ended,
    acts: [resume, work(until((session) => !hasEnded(session) && isRunning(session)))],
    after: toTheEnd,
  },
  {
    name: 'the removal of a cycle',
    deaths: 3,
    failures: 7,
    before: ended,
    acts: [removeLastCycle, ...toTheEnd],
  },
  {
    name: 'a fork',
    deaths: 16,
    failures: 38,
    before: ended,
    acts: [fork, work(until(isRunning, secondId))],
    after: toTheEnd,
  },
  {
    name: 'a batch whose rows become sessions',
    deaths: 45,
    failures: 106,
    acts: [submitBatch, work(hasMade(2))],
    after: toTheEnd,
    queuesMayBeLost: true,
  },
  {
    name: 'the cancel of a batch',
    deaths: 22,
    failures: 50,
    before: [inWorld((world) => (world.programsEnd = false)), submitBatch, work(hasMade(2)), work(allRun)],
    acts: [cancelBatch, ...toTheEnd],
  },
];
