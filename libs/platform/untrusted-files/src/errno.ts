// The words of the project own it, so that the domain may tell a passing error; who opens files finds it here.
export { errnoOf } from '@fleet/contracts';
