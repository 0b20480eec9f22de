/** Work that is repeated until a process stops: the one polling loop of the project. */
export { BackgroundLoop } from './background-loop';
export { Loop, type Round } from './loop';
