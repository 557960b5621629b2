import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { build } from '../../infra/build/index.ts';
import { LocalCloud } from '../../infra/local/cloud.ts';
import { ensureMasterSecret, operatorClients } from '../../infra/operator.ts';
import { settings } from '../../infra/settings.ts';
import { synthesize } from '../../infra/synth.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Base URL of the API and of the AWS services behind it. */
    endpoint: string;
  }
}

/** One deployment on this machine for all API tests: the real template on the real local services, in a folder of its own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'analytics-test-'));
  await build();
  const chosen = settings({ ALLOWED_PRIVATE_CIDRS: '127.0.0.0/8,::1/128', WEBHOOK_BACKOFF_SECONDS: '1,1,1,1' });
  synthesize(join(folder, 'assembly'), chosen);
  const cloud = await LocalCloud.open({ dataDir: join(folder, 'data'), port: 0 });
  await ensureMasterSecret(operatorClients(cloud.endpoint), chosen.masterSecretParameter);
  await cloud.deploy(join(folder, 'assembly'));
  project.provide('endpoint', cloud.endpoint);
  return async () => {
    await cloud.close();
    rmSync(folder, { recursive: true, force: true });
  };
}
