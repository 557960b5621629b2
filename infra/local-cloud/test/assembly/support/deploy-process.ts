import { LocalCloud } from '../../../cloud.ts';

/** A process that opens the data directory, says so, deploys the assembly, says so, and stays. */
const [dataDir, assembly] = process.argv.slice(2) as [string, string];
const cloud = await LocalCloud.open({ dataDir, port: 0 });
console.log('open');
await cloud.deploy(assembly);
console.log('deployed');
