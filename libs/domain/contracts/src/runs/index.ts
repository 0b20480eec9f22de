export { attemptFiles, attemptFolder, isExecutorFile, runningSuffix } from './attempt-files';
export { attemptName, attemptOfName, cycleFolder, stepOf, wakeUpId, type Step } from './steps';
export {
  runSpecSchema,
  type RunCompoundFile,
  type RunInput,
  type RunOwner,
  type RunParameterFile,
  type RunSpec,
} from './runs';
