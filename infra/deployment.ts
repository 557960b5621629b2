import { GetParameterCommand, ParameterNotFound } from '@aws-sdk/client-ssm';
import { type Account, accountOptions, cdkCommand, regionOf } from './account.ts';
import { type EnginePackages, lambdaEngine } from './build/lambda-engine.ts';
import { reportLimits } from './lambda-limits.ts';
import { type Clients, ensureMasterSecret, storeAiKey } from './operator.ts';
import type { Run } from './run-program.ts';
import type { Settings } from './settings.ts';

/** Where `cdk bootstrap` notes what it has made, and the oldest version that the stacks can be deployed with. */
const BOOTSTRAP_PARAMETER = '/cdk-bootstrap/hnb659fds/version';
const OLDEST_BOOTSTRAP = 6;

export interface Deployment {
  root: string;
  settings: Settings;
  account: Account;
  /** Clients of this account. */
  clients: Clients;
  /** The key of the AI provider; what was stored before stays when it is absent. */
  aiKey?: string | undefined;
  /** Handed on to `cdk deploy`. */
  arguments: readonly string[];
  run: Run;
  build(engine: EnginePackages): Promise<unknown>;
  log(line: string): void;
}

/**
 * Deploys to the account of the clients. What can be found wrong is found before anything is made there; the master
 * secret comes before the stacks, because their functions read it. Throws what to do, in a sentence for the operator.
 */
export async function deploy({ root, settings, clients, log, ...deployment }: Deployment): Promise<void> {
  // The profile may have named the region; the CDK is given what the clients use.
  const account = { ...deployment.account, region: await regionOf(clients.ssm) };
  log(`Deploying to ${account.region}${account.profile ? ` with the profile ${account.profile}` : ''}`);
  await checkBootstrap(clients, account);
  await reportLimits(clients, account, log);
  log(`Finding the engine for ${settings.lambdaArchitecture} …`);
  const engine = lambdaEngine(root, settings.lambdaArchitecture, deployment.run);
  log('Building …');
  await deployment.build(engine);
  if (await ensureMasterSecret(clients, settings.masterSecretParameter)) {
    log(`Made the master secret ${settings.masterSecretParameter}. Back it up.`);
  }
  if (deployment.aiKey) await storeAiKey(clients, settings.aiKeyParameter, deployment.aiKey);
  const command = cdkCommand(account, ['deploy', ...withDefaults(deployment.arguments)]);
  const status = deployment.run('npx', command.arguments, root, command.variables);
  if (status !== 0) throw new Error('The CDK could not deploy; it said why above. Deploying again goes on from there.');
}

/** Throws when the account and region were never prepared for the CDK, or too long ago. */
async function checkBootstrap({ ssm }: Clients, account: Account): Promise<void> {
  const bootstrap = `npm run cdk -- bootstrap ${accountOptions(account)}`;
  try {
    const { Parameter } = await ssm.send(new GetParameterCommand({ Name: BOOTSTRAP_PARAMETER }));
    if (Number(Parameter?.Value) >= OLDEST_BOOTSTRAP) return;
    throw new Error(
      `This account and region were bootstrapped with version ${Parameter?.Value}; at least ${OLDEST_BOOTSTRAP} is needed. Run: ${bootstrap}`,
    );
  } catch (error) {
    if (!(error instanceof ParameterNotFound)) throw error;
    throw new Error(`This account and region are not prepared for deployments. Run once: ${bootstrap}`);
  }
}

/** All stacks, without a question, with the address of the API in a file; what the operator says goes before. */
function withDefaults(given: readonly string[]): string[] {
  const defaults = [['--all'], ['--require-approval', 'never'], ['--outputs-file', 'dist/outputs.json']];
  const isGiven = (option: string) => given.some((each) => each === option || each.startsWith(`${option}=`));
  return [...defaults.filter(([option = '']) => !isGiven(option)).flat(), ...given];
}
