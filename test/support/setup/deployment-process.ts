import { once } from 'node:events';
import { ensureMasterSecret, operatorClients, storeAiKey } from '../../../infra/operator.ts';
import type { Settings } from '../../../infra/settings.ts';
import { LocalCloud } from '../../../packages/local-cloud/index.ts';
import { AI_KEY } from '../ai-provider.ts';

/**
 * `deployment-process.ts <folder> <assembly> <settings as JSON>`: the real template on the real local services, in a
 * folder of its own, until the parent disconnects.
 */
const [dataDir, assembly, text] = process.argv.slice(2) as [string, string, string];
const chosen = JSON.parse(text) as Settings;
const cloud = await LocalCloud.open({ dataDir, port: 0, home: '/api/' });
const clients = operatorClients(cloud.endpoint);
await ensureMasterSecret(clients, chosen.masterSecretParameter);
await storeAiKey(clients, chosen.aiKeyParameter, AI_KEY);
await cloud.deploy(assembly);
process.send!({ endpoint: cloud.endpoint });
await once(process, 'disconnect');
await cloud.close();
process.exit(0);
