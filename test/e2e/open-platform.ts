import { assemblyOf } from '../../infra/assembly.ts';
import { type Credentials, seed } from '../../infra/seed.ts';
import { LocalCloud } from '../../packages/local-cloud/index.ts';
import { copyDataDirectory } from '../../packages/local-cloud/testing/index.ts';
import { platformSettings } from '../support/platform-settings.ts';
import { preparedPlatform } from '../support/setup/ask.ts';

export interface OpenPlatform {
  cloud: LocalCloud;
  credentials: Credentials;
  /** The folder of the assembly that is deployed. */
  assembly: string;
}

/** A platform in this process and in a folder of its own, for tests that deploy other templates to it. */
export async function openPlatform(dataDir: string, log?: (line: string) => void): Promise<OpenPlatform> {
  await copyDataDirectory(await preparedPlatform(), dataDir);
  const chosen = platformSettings();
  const cloud = await LocalCloud.open({ dataDir, port: 0, ...(log && { log }) });
  const assembly = await assemblyOf(chosen);
  await cloud.deploy(assembly);
  const ownerFunction = `${chosen.name}Runtime-create-owner`;
  const credentials = await seed({ endpoint: cloud.endpoint, dataDir, ownerFunction });
  return { cloud, credentials, assembly };
}
