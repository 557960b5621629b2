import { delimiter } from 'node:path';
import type { Variable } from '../model.ts';
import type { CredentialsAddress } from './task-credentials.ts';

/**
 * The complete environment of a container: variables of its image, its definition and Fargate; nothing is inherited.
 * The SDK finds the local cloud by `AWS_ENDPOINT_URL`, and the credentials of the task's role by an address, as on AWS;
 * a task without a role has none. A temporary folder of the task replaces `/tmp`.
 */
export function containerVariables(launch: {
  image: Record<string, string>;
  own: readonly Variable[];
  region: string;
  endpoint: string;
  credentials: CredentialsAddress | undefined;
  temporaryFolder: string;
}): Record<string, string> {
  const { temporaryFolder: folder } = launch;
  return {
    LANG: 'en_US.UTF-8',
    PATH:
      process.platform === 'win32' ? (process.env.PATH ?? '') : ['/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
    AWS_ENDPOINT_URL: launch.endpoint,
    AWS_REGION: launch.region,
    AWS_DEFAULT_REGION: launch.region,
    AWS_EXECUTION_ENV: 'AWS_ECS_FARGATE',
    ...(launch.credentials && {
      AWS_CONTAINER_CREDENTIALS_FULL_URI: launch.credentials.uri,
      AWS_CONTAINER_AUTHORIZATION_TOKEN: launch.credentials.authorization,
    }),
    ...launch.image,
    ...Object.fromEntries(launch.own.map(({ name, value }) => [name, value])),
    ...(process.platform === 'win32' && { SystemRoot: process.env.SystemRoot ?? 'C:\\Windows' }),
    HOME: folder,
    USERPROFILE: folder,
    TMPDIR: folder,
    TEMP: folder,
    TMP: folder,
  };
}
