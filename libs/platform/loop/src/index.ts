/** Work that is repeated until a process stops: the project's single polling loop. */
export { BackgroundLoop } from './background-loop';
export { Loop, type Round } from './loop';
