export { diff, validate } from './compare.ts';
export { deploy } from './deploy.ts';
export { init } from './init.ts';
export { move } from './move.ts';
export { adopt, pull } from './pull.ts';
export { status } from './status.ts';
