import { delimiter } from 'node:path';
import type { IssuedCredentials } from '../../../core/access/credentials.ts';
import type { FunctionVersion } from '../model.ts';

/** Reserved names: a function configuration must not set them. */
export const RESERVED_VARIABLES: ReadonlySet<string> = new Set([
  '_HANDLER',
  '_X_AMZN_TRACE_ID',
  'AWS_DEFAULT_REGION',
  'AWS_REGION',
  'AWS_EXECUTION_ENV',
  'AWS_LAMBDA_FUNCTION_NAME',
  'AWS_LAMBDA_FUNCTION_MEMORY_SIZE',
  'AWS_LAMBDA_FUNCTION_VERSION',
  'AWS_LAMBDA_INITIALIZATION_TYPE',
  'AWS_LAMBDA_LOG_GROUP_NAME',
  'AWS_LAMBDA_LOG_STREAM_NAME',
  'AWS_ACCESS_KEY',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AWS_LAMBDA_RUNTIME_API',
  'LAMBDA_TASK_ROOT',
  'LAMBDA_RUNTIME_DIR',
]);

/**
 * The complete environment of a function's process: its own variables and Lambda's; nothing is inherited. Home and
 * temporary folder are the environment's own, so that no AWS profile of this machine leaks in. The SDK finds the local
 * cloud by `AWS_ENDPOINT_URL`; because that has an IP address, the S3 client uses path-style addresses.
 */
export function environmentVariables(launch: {
  functionName: string;
  version: FunctionVersion;
  /** Those of the function's role. */
  credentials: IssuedCredentials;
  region: string;
  endpoint: string;
  logStream: string;
  temporaryFolder: string;
}): Record<string, string> {
  const { version } = launch;
  return {
    LANG: 'en_US.UTF-8',
    PATH: platformPath(),
    TZ: ':UTC',
    AWS_ENDPOINT_URL: launch.endpoint,
    ...version.variables,
    ...(process.platform === 'win32' && { SystemRoot: process.env.SystemRoot ?? 'C:\\Windows' }),
    HOME: launch.temporaryFolder,
    USERPROFILE: launch.temporaryFolder,
    TMPDIR: launch.temporaryFolder,
    TEMP: launch.temporaryFolder,
    TMP: launch.temporaryFolder,
    AWS_REGION: launch.region,
    AWS_DEFAULT_REGION: launch.region,
    AWS_EXECUTION_ENV: `AWS_Lambda_${version.runtime}`,
    AWS_ACCESS_KEY_ID: launch.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: launch.credentials.secretAccessKey,
    AWS_SESSION_TOKEN: launch.credentials.sessionToken,
    AWS_LAMBDA_FUNCTION_NAME: launch.functionName,
    AWS_LAMBDA_FUNCTION_VERSION: version.version,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(version.memorySizeMb),
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: version.logging.LogGroup,
    AWS_LAMBDA_LOG_STREAM_NAME: launch.logStream,
    AWS_LAMBDA_LOG_FORMAT: version.logging.LogFormat,
    ...(version.logging.ApplicationLogLevel && { AWS_LAMBDA_LOG_LEVEL: version.logging.ApplicationLogLevel }),
    LAMBDA_TASK_ROOT: version.code.folder,
    _HANDLER: version.handler,
  };
}

/** Share of a function's memory for V8's heap, as on Lambda. */
const HEAP_SHARE = 0.9;

/** V8 sizes its heap by the machine's memory; on Lambda that is the function's memory. */
export function nodeOptions(version: FunctionVersion): string[] {
  if (/--max[-_]old[-_]space[-_]size/.test(version.variables.NODE_OPTIONS ?? '')) return [];
  return [`--max-old-space-size=${Math.floor(version.memorySizeMb * HEAP_SHARE)}`];
}

function platformPath(): string {
  if (process.platform === 'win32') return process.env.PATH ?? '';
  return ['/usr/local/bin', '/usr/bin', '/bin', '/opt/bin'].join(delimiter);
}
