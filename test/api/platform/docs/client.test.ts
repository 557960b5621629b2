import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';

const CLIENT = join(import.meta.dirname, '../../../client');
const run = promisify(execFile);

/** Runs a command of the client's own packages there; throws what it printed when it fails. */
async function inClient(script: string, ...args: string[]): Promise<void> {
  await run(process.execPath, [join('node_modules', script), ...args], { cwd: CLIENT }).catch((error) => {
    throw new Error(`${script} failed: ${error.stdout}${error.stderr}`);
  });
}

describe('a client that is generated from the document', () => {
  it('compiles, refuses wrong requests when it is compiled, and is answered as its types say', async ({ api }) => {
    const { body } = await api.as('anonymous').get('/api/openapi.json');
    await rm(join(CLIENT, 'generated'), { recursive: true, force: true });
    await mkdir(join(CLIENT, 'generated'));
    await writeFile(join(CLIENT, 'generated/openapi.json'), JSON.stringify(body));
    await inClient('openapi-typescript/bin/cli.js', 'generated/openapi.json', '-o', 'generated/openapi.d.ts');
    await inClient('typescript/bin/tsc', '-p', '.');

    const { callApi } = await import(join(CLIENT, 'generated/calls.js'));
    expect(await callApi(`${api.endpoint}/api`, await api.token('owner'))).toEqual({
      sourceType: 'file',
      webhookStatus: expect.any(Number),
      operations: ['filter', 'aggregate'],
      listed: ['Even'],
      missing: 'PIPELINE_NOT_FOUND',
    });
  });
});
