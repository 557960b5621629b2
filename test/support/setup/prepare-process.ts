import { ensureMasterSecret, operatorClients, storeAiKey } from '../../../infra/operator.ts';
import { seed } from '../../../infra/seed.ts';
import type { Settings } from '../../../infra/settings.ts';
import { LocalCloud } from '../../../packages/local-cloud/index.ts';
import { AI_KEY } from '../ai-provider.ts';

/**
 * `prepare-process.ts <folder> <assembly> <settings as JSON> [seeded]`: the real template on the real local services,
 * in a folder that is copied afterwards; seeded with its first company.
 */
const [dataDir, assembly, text, seeded] = process.argv.slice(2) as [string, string, string, 'seeded' | undefined];
const chosen = JSON.parse(text) as Settings;
const cloud = await LocalCloud.open({ dataDir, port: 0 });
const { endpoint } = cloud;
const clients = operatorClients(endpoint);
await ensureMasterSecret(clients, chosen.masterSecretParameter);
if (chosen.ai) await storeAiKey(clients, chosen.aiKeyParameter, AI_KEY);
await cloud.deploy(assembly);
if (seeded) await seed({ endpoint, dataDir, ownerFunction: `${chosen.name}Runtime-create-owner` });
await cloud.close();
process.exit(0);
