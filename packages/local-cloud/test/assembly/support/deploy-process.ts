import { LocalCloud } from '../../../cloud.ts';

/** A process that opens the data directory and deploys the assembly, prints a word after each, and stays. */
const [dataDir, assembly] = process.argv.slice(2) as [string, string];
const cloud = await LocalCloud.open({ dataDir, port: 0 });
console.log('open');
await cloud.deploy(assembly);
console.log('deployed');
