import { once } from 'node:events';
import { LocalCloud } from '../../../packages/local-cloud/index.ts';
import { hostedGroups } from './hosted-groups.ts';

/**
 * `deployment-process.ts <folder> <assembly> <hosted | processes>`: deploys into a folder and serves until the parent
 * disconnects. Endpoint groups are hosted in this process or run in processes of their own.
 */
const [dataDir, assembly, groups] = process.argv.slice(2) as [string, string, 'hosted' | 'processes'];
const cloud = await LocalCloud.open({
  dataDir,
  port: 0,
  home: '/api/',
  ...(groups === 'hosted' && { functionHost: hostedGroups('AnalyticsRuntime') }),
});
await cloud.deploy(assembly);
process.send!({ endpoint: cloud.endpoint });
await once(process, 'disconnect');
await cloud.close();
process.exit(0);
