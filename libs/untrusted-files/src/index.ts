export { openRegular, openRegularSync } from './open-regular';
export { openUnder } from './open-under';
export { readWhole, readWholeSync } from './read-whole';
export { errnoOf } from './errno';
