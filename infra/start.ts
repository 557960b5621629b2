import { join, relative, resolve } from 'node:path';
import { LocalCloud } from '../packages/local-cloud/index.ts';
import { assemblyOf } from './assembly.ts';
import { build } from './build/index.ts';
import { ensureMasterSecret, operatorClients, storeAiKey } from './operator.ts';
import { type Credentials, seed } from './seed.ts';
import { localConsole, localDefaults, settings } from './settings.ts';

/** `npm start`: builds, synthesizes, deploys to the local cloud, and serves until it is stopped. */

const [argument] = process.argv.slice(2);
if (argument !== undefined) {
  console.error(
    `Unknown option "${argument}". Settings are environment variables, such as in: PORT=3001 npm start. The README lists them.`,
  );
  process.exit(2);
}

const dataDir = resolve(process.env.LOCAL_DATA_DIR ?? '.local');
const port = Number(process.env.PORT ?? 3000);
const chosen = settings({ ...localDefaults(port), ...process.env });
const startedAt = performance.now();

console.log('Analytics platform, on this machine\n');
const log = (message: string) => console.error(message);
const cloud = await LocalCloud.open({ dataDir, port, log, home: '/api/' }).catch((error: NodeJS.ErrnoException) => {
  console.error(error.code === 'EADDRINUSE' ? portTaken() : error.message);
  process.exit(1);
});
stopOnSignals();

try {
  await step('Building the functions', () => build({ shape: 'parts' }));
  const assembly = await step('Synthesizing the template', () => assemblyOf(chosen));
  const { changed } = await step('Deploying into the local cloud', async () => {
    const clients = operatorClients(cloud.endpoint);
    await ensureMasterSecret(clients, chosen.masterSecretParameter);
    if (process.env.AI_API_KEY) await storeAiKey(clients, chosen.aiKeyParameter, process.env.AI_API_KEY);
    return cloud.deploy(assembly);
  });
  // For the first question. They would start by themselves too, while the reader waits for them.
  const warm = (name: string) => cloud.services.aws.lambda.warm(`${chosen.name}Runtime-${name}`).catch(() => undefined);
  const warming = Promise.all(['engine', 'questions'].map(warm));
  const ownerFunction = `${chosen.name}Runtime-create-owner`;
  const credentials = await step('Creating the first company', () =>
    seed({ endpoint: cloud.endpoint, dataDir, ownerFunction }),
  );
  await warming;
  announce(credentials, changed.length);
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : error}`);
  await cloud.close();
  process.exit(1);
}

async function step<T>(what: string, work: () => Promise<T>): Promise<T> {
  const from = performance.now();
  process.stdout.write(`  ${what} … `);
  const result = await work();
  console.log(`${((performance.now() - from) / 1000).toFixed(1)} s`);
  return result;
}

function announce({ baseUrl, email }: Credentials, changes: number): void {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const credentialsFile = relative(process.cwd(), join(dataDir, 'credentials.json'));
  const reachable = chosen.allowedPrivateCidrs || 'none';
  console.log(`
Ready after ${seconds} s${changes === 0 ? ', as you left it' : ''}.

  Console           ${localConsole(port)}
  API               ${baseUrl}/api
  Documentation     ${baseUrl}
  Mails             ${new URL('/_local/inbox', baseUrl)}
  Sign in as        ${email}, with the password in ${credentialsFile}
  Private networks  ${reachable} (ALLOWED_PRIVATE_CIDRS)

Try npm run demo in another terminal. Ctrl-C stops; starting again finds everything as it was.`);
}

function portTaken(): string {
  return `Port ${port} is used by another program. Choose another one, such as: PORT=${port + 1} npm start`;
}

/** The first signal shuts down in order; a second one ends the process at once, without loss of data. */
function stopOnSignals(): void {
  let stopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(130);
      stopping = true;
      console.log('\nStopping …');
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
