import { once } from 'node:events';
import { LocalCloud } from '../../../packages/local-cloud/index.ts';

/** `deployment-process.ts <folder> <assembly>`: deploys into a folder and serves until the parent disconnects. */
const [dataDir, assembly] = process.argv.slice(2) as [string, string];
const cloud = await LocalCloud.open({ dataDir, port: 0, home: '/api/' });
await cloud.deploy(assembly);
process.send!({ endpoint: cloud.endpoint });
await once(process, 'disconnect');
await cloud.close();
process.exit(0);
