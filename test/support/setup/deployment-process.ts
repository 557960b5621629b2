import { once } from 'node:events';
import { LocalCloud } from '../../../packages/local-cloud/index.ts';

/** `deployment-process.ts <folder>`: serves the deployment whose data is in the folder until the parent disconnects. */
const [dataDir] = process.argv.slice(2) as [string];
const cloud = await LocalCloud.open({ dataDir, port: 0, home: '/api/' });
process.send!({ endpoint: cloud.endpoint });
await once(process, 'disconnect');
await cloud.close();
process.exit(0);
