/** A local cloud in its own process, to be killed: `node host.ts <data dir>`. Prints its endpoint. */
import { LocalCloud } from '../../../cloud.ts';

const [dataDir = ''] = process.argv.slice(2);
const cloud = await LocalCloud.open({ dataDir, port: 0 });
console.log(cloud.endpoint);
