import { once } from 'node:events';
import { LocalCloud } from '../../../packages/local-cloud/index.ts';
import { hostedHere } from './hosted-functions.ts';

/**
 * `deployment-process.ts <folder> <assembly> <hosted | processes>`: deploys into a folder and serves until the parent
 * disconnects. Most functions are hosted in this process, or all run in processes of their own.
 */
const [dataDir, assembly, functions] = process.argv.slice(2) as [string, string, 'hosted' | 'processes'];
const cloud = await LocalCloud.open({
  dataDir,
  port: 0,
  home: '/api/',
  ...(functions === 'hosted' && { functionHost: hostedHere('AnalyticsRuntime') }),
});
await cloud.deploy(assembly);
process.send!({ endpoint: cloud.endpoint });
await once(process, 'disconnect');
await cloud.close();
process.exit(0);
