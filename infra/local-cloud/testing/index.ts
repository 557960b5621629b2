/** Tools for tests: a state machine without functions, calls without an SDK client, and archives. */
export { callEcs, WireError } from './ecs-wire.ts';
export { FunctionFailure } from './recording-ports.ts';
export { TestCloud } from './step-functions.ts';
export { zip } from './zip.ts';
