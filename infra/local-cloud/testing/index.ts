/** Tools for tests: Step Functions with recorded neighbours, calls without sockets, signed calls without an SDK client, and zip archives. */
export { callEcs, WireError } from './ecs-wire.ts';
export { inProcess } from './in-process.ts';
export { FunctionFailure } from './recording-ports.ts';
export { type PlainRequest, type SigningOptions, signedFetch, signedHeaders } from './signed-request.ts';
export { TestStepFunctions } from './step-functions.ts';
export { zip } from './zip.ts';
