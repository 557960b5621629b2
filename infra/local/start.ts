import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build, fingerprintOf } from '../build/index.ts';
import { ensureMasterSecret, operatorClients } from '../operator.ts';
import { seed } from '../seed.ts';
import { type Settings, settings, synthesize } from '../synth.ts';
import { LocalCloud } from './cloud.ts';

/** `npm start`: build, synthesize, deploy into the local cloud, and serve until told to stop. */

const dataDir = resolve(process.env.LOCAL_DATA_DIR ?? '.local');
const started = performance.now();
// On a machine of one's own, the neighbours on loopback may be called; on AWS nothing private may.
const chosen = settings({ ALLOWED_PRIVATE_CIDRS: '127.0.0.0/8,::1/128', ...process.env });

const cloud = await LocalCloud.open({
  dataDir,
  port: Number(process.env.PORT ?? 3000),
  log: (message) => console.error(message),
});
stopOnSignals();

try {
  await build();
  const assembly = join(dataDir, 'assembly');
  await synthesizeOnce(assembly, chosen);
  await ensureMasterSecret(operatorClients(cloud.endpoint), chosen.masterSecretParameter);
  const { changed } = await cloud.deploy(assembly);
  const ownerFunction = `${chosen.name}Runtime-create-owner`;
  const credentials = await seed({ endpoint: cloud.endpoint, dataDir, ownerFunction });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`Ready after ${seconds} s, with ${changed.length} resources made or changed.`);
  console.log(`API          ${cloud.endpoint}/api`);
  console.log(`Reference    ${cloud.endpoint}/api/docs`);
  console.log(`Sign in as   ${credentials.email}, see ${join(dataDir, 'credentials.json')}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  await cloud.close();
  process.exit(1);
}

/** Synthesis takes seconds, so it is left out while nothing that it reads has changed. */
async function synthesizeOnce(assembly: string, wanted: Settings): Promise<void> {
  const sources = await fingerprintOf(['infra', 'functions', 'shared', 'cdk.json', 'package-lock.json']);
  const fingerprint = `${sources} ${JSON.stringify(wanted)}`;
  const mark = join(assembly, '.fingerprint');
  const last = existsSync(mark) ? await readFile(mark, 'utf8') : '';
  if (last === fingerprint) return;
  await rm(assembly, { recursive: true, force: true });
  synthesize(assembly, wanted);
  await writeFile(mark, fingerprint);
}

/** The first signal closes in order; a second one ends at once, which loses nothing either. */
function stopOnSignals(): void {
  let stopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(130);
      stopping = true;
      cloud.close().then(
        () => process.exit(0),
        (error: unknown) => {
          console.error(error);
          process.exit(1);
        },
      );
    });
  }
}
