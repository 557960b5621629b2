import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { call } from '../support/http.ts';
import { StartedPlatform } from '../support/started-platform.ts';

/**
 * `npm run soak:python [python]`: starts a platform, generates a Python client from its document and calls the API with
 * it. The Python needs `pip install openapi-python-client`.
 */
const python = process.argv[2] ?? process.env.PYTHON ?? 'python3';
const run = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), 'analytics-python-'));
const platform = new StartedPlatform(join(folder, 'data'));
try {
  await platform.start();
  const { baseUrl, email, password } = platform.credentials;
  const { body: document } = await call(baseUrl, 'GET', '/api/openapi.json');
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(document));
  const options = ['--path', 'openapi.json', '--output-path', 'client', '--meta', 'none'];
  await run(python, ['-m', 'openapi_python_client', 'generate', ...options], {
    cwd: folder,
    maxBuffer: 16 * 1024 * 1024,
  });

  const session = await call(baseUrl, 'POST', '/api/auth/login', { body: { email, password } });
  const script = join(import.meta.dirname, 'python-client.py');
  const env = { ...process.env, PYTHONPATH: folder, API_TOKEN: session.body.accessToken };
  const { stdout } = await run(python, [script, `${baseUrl}/api`], { cwd: folder, env });
  console.log(stdout.trim());
} finally {
  await platform.stop();
  await rm(folder, { recursive: true, force: true });
}
