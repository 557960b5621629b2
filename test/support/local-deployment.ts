import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { build } from '../../infra/build/index.ts';
import { LocalCloud } from '../../infra/local-cloud/index.ts';
import { ensureMasterSecret, operatorClients, storeAiKey } from '../../infra/operator.ts';
import { settings } from '../../infra/settings.ts';
import { synthesize } from '../../infra/synth.ts';
import { AiProvider } from './ai-provider.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Base URL of the API and of the AWS services behind it. */
    endpoint: string;
    /** Base URL of the scripted AI provider. */
    aiProvider: string;
  }
}

/** What the AI provider is to be shown, and nobody else. */
export const AI_KEY = 'sk-never-shown-to-anybody';

/** One deployment on this machine for all API tests: the real template on the real local services, in a folder of its own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'analytics-test-'));
  await build();
  const provider = await AiProvider.open();
  const chosen = settings({
    ALLOWED_PRIVATE_CIDRS: '127.0.0.0/8,::1/128',
    // Every other gap is long enough to do something in between; a queue rounds one second up to two.
    WEBHOOK_BACKOFF_SECONDS: '0,1,0,1',
    STEP_CONTAINERS: 'on',
    AI_PROVIDER: 'openai-compatible',
    AI_MODEL: 'scripted',
    AI_BASE_URL: provider.url,
  });
  synthesize(join(folder, 'assembly'), chosen);
  const cloud = await LocalCloud.open({ dataDir: join(folder, 'data'), port: 0, home: '/api/' });
  const clients = operatorClients(cloud.endpoint);
  await ensureMasterSecret(clients, chosen.masterSecretParameter);
  await storeAiKey(clients, chosen.aiKeyParameter, AI_KEY);
  await cloud.deploy(join(folder, 'assembly'));
  project.provide('endpoint', cloud.endpoint);
  project.provide('aiProvider', provider.url);
  return async () => {
    provider.close();
    await cloud.close();
    rmSync(folder, { recursive: true, force: true });
  };
}
