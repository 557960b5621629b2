/**
 * Tools for tests: Step Functions with recorded neighbours, machines played in the test's process, calls without
 * sockets, copies of data directories, signed calls without an SDK client, and zip archives.
 */
export { AwsError } from '../core/aws-error.ts';
export { StateError } from '../services/step-functions/state-error.ts';
export { copyDataDirectory } from './copy-data.ts';
export { callEcs, WireError } from './ecs-wire.ts';
export { type HandlerImport, hostedFunctions } from './hosted-functions.ts';
export { inProcess } from './in-process.ts';
export type { PassingTime } from './passing-time.ts';
export { type AtRest, type Play, type PlayedExecution, PlayedMachine } from './played-machine.ts';
export { FunctionFailure } from './recording-ports.ts';
export { type PlainRequest, type SigningOptions, signedFetch, signedHeaders } from './signed-request.ts';
export { TestStepFunctions } from './step-functions.ts';
export { zip } from './zip.ts';
