import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { bundlesBuilt, SETUP_TIMEOUT_MS } from '../support/setup/ask.ts';

const DIST = join(import.meta.dirname, '../../dist');
const KEY = 'KEYOFTHETASKROLE';

let server: Server;
let address: string;
/** Resolves with the first signature of a call to AWS. */
let signed: Promise<string>;
beforeEach(async () => {
  await bundlesBuilt();
  const first = Promise.withResolvers<string>();
  signed = first.promise;
  server = createServer((request: IncomingMessage, reply) => {
    if (request.url === '/credentials') {
      reply.setHeader('content-type', 'application/json');
      const Expiration = new Date(Date.now() + 3_600_000).toISOString();
      reply.end(JSON.stringify({ AccessKeyId: KEY, SecretAccessKey: 'x', Token: 't', Expiration }));
      return;
    }
    first.resolve(request.headers.authorization ?? 'unsigned');
    reply.writeHead(400).end('{}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}, SETUP_TIMEOUT_MS);
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/**
 * Starts a container's program as ECS does, with nothing but its image: with an address for the credentials of its
 * role, and none in the environment.
 */
async function start(program: string, variables: Record<string, string>): Promise<string> {
  const image = mkdtempSync(join(tmpdir(), 'image-'));
  onTestFinished(() => rmSync(image, { recursive: true, force: true }));
  cpSync(join(DIST, dirname(program)), image, { recursive: true, mode: constants.COPYFILE_FICLONE });
  const child = spawn(process.execPath, [join(image, basename(program))], {
    env: {
      PATH: process.env.PATH,
      AWS_REGION: 'us-east-1',
      AWS_ENDPOINT_URL: address,
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${address}/credentials`,
      TABLE_NAME: 'table',
      DATA_BUCKET: 'bucket',
      MASTER_SECRET_PARAMETER: '/analytics/master-secret',
      ALLOWED_PRIVATE_CIDRS: '',
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const ended = once(child, 'exit').then(() => `ended without a call to AWS: ${output}`);
  return Promise.race([signed, ended]);
}

describe('the program of a container', () => {
  it('that streams changes calls AWS with the credentials of its task role', async () => {
    expect(await start('stream-changes/main.mjs', {})).toContain(`Credential=${KEY}/`);
  });

  it('that runs steps calls AWS with the credentials of its task role', async () => {
    const job = { workspaceId: 'w', runId: 'r', epoch: 1, index: 0 };
    const variables = {
      STEP_EVENT: JSON.stringify({ job, execution: 'arn:aws:states:us-east-1:000000000000:execution:step:x' }),
      TASK_MEMORY_MB: '1024',
      SCRATCH_MB: '1024',
      WORK_QUEUE_URL: `${address}/queue`,
      RUN_MACHINE_ARN: 'arn:aws:states:us-east-1:000000000000:stateMachine:run',
      STEP_MACHINE_ARN: 'arn:aws:states:us-east-1:000000000000:stateMachine:step',
      PIPELINE_STARTS_PER_MINUTE: '60',
      WORKSPACE_STARTS_PER_MINUTE: '600',
    };
    expect(await start('engine/run-step-task.mjs', variables)).toContain(`Credential=${KEY}/`);
  });
});
