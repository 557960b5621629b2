import type { Settings } from './settings.ts';
import { synthesize } from './synth.ts';

/** `node infra/synthesize.ts <folder> <settings as JSON>`: writes the cloud assembly. */
const [folder, chosen] = process.argv.slice(2);
synthesize(folder!, JSON.parse(chosen!) as Settings);
