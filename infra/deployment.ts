import { GetParameterCommand, ParameterNotFound } from '@aws-sdk/client-ssm';
import { type Account, accountOptions, cdkCommand, regionOf } from './account.ts';
import { type EnginePackages, lambdaEngine } from './build/lambda-engine.ts';
import { reportLimits } from './lambda-limits.ts';
import { type Clients, ensureMasterSecret, storeAiKey } from './operator.ts';
import type { Run } from './run-program.ts';
import type { Settings } from './settings.ts';

/** The parameter in which `cdk bootstrap` stores its version, and the oldest version that the stacks support. */
const BOOTSTRAP_PARAMETER = '/cdk-bootstrap/hnb659fds/version';
const OLDEST_BOOTSTRAP = 6;

export interface Deployment {
  root: string;
  settings: Settings;
  account: Account;
  /** Clients of this account. */
  clients: Clients;
  /** The key of the AI provider; a stored one is kept when absent. */
  aiKey?: string | undefined;
  /** Arguments for `cdk deploy`. */
  arguments: readonly string[];
  run: Run;
  build(engine: EnginePackages): Promise<unknown>;
  log(line: string): void;
}

/**
 * Deploys to the account of the clients. Problems are detected before anything is created. The master secret is created
 * before the stacks, because their functions read it. Throws a sentence with instructions for the operator.
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
    log(`Created the master secret ${settings.masterSecretParameter}. Back it up.`);
  }
  if (deployment.aiKey) await storeAiKey(clients, settings.aiKeyParameter, deployment.aiKey);
  const command = cdkCommand(account, ['deploy', ...withDefaults(deployment.arguments)]);
  const status = deployment.run('npx', command.arguments, root, command.variables);
  if (status !== 0)
    throw new Error('The CDK could not deploy; its output above has the reason. Deploying again continues from there.');
}

/** Throws if the account and region are not bootstrapped for the CDK, or with too old a version. */
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

/**
 * Deploys all stacks without confirmation and writes the address of the API to a file; options of the operator take
 * precedence.
 */
function withDefaults(given: readonly string[]): string[] {
  const defaults = [['--all'], ['--require-approval', 'never'], ['--outputs-file', 'dist/outputs.json']];
  const isGiven = (option: string) => given.some((each) => each === option || each.startsWith(`${option}=`));
  return [...defaults.filter(([option = '']) => !isGiven(option)).flat(), ...given];
}
