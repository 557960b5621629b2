import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { call } from '../support/http.ts';
import { StartedPlatform } from '../support/started-platform.ts';

/**
 * `npm run soak:scim [python]`: starts a platform and runs the public checks of scim2-tester against its SCIM service.
 * Ends with 1 unless every check succeeds and none is skipped. See `scim-tester.py` for what the Python needs.
 */
const python = process.argv[2] ?? process.env.PYTHON ?? 'python3';
const dataDir = await mkdtemp(join(tmpdir(), 'analytics-scim-'));
const platform = new StartedPlatform(dataDir);
try {
  await platform.start();
  const { baseUrl, token } = await createToken();
  process.exitCode = await check(baseUrl, token);
} finally {
  await platform.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function createToken(): Promise<{ baseUrl: string; token: string }> {
  const { baseUrl, email, password, workspaceId } = platform.credentials;
  const session = await call(baseUrl, 'POST', '/api/auth/login', { body: { email, password } });
  const body = { name: 'scim2-tester', workspaceId };
  const made = await call(baseUrl, 'POST', '/api/scim/tokens', { token: session.body.accessToken, body });
  if (made.status !== 201) throw new Error(`the token was answered by ${made.status}: ${JSON.stringify(made.body)}`);
  return made.body;
}

function check(baseUrl: string, token: string): Promise<number> {
  const script = join(import.meta.dirname, 'scim-tester.py');
  const child = spawn(python, [script, baseUrl], { env: { ...process.env, SCIM_TOKEN: token }, stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
