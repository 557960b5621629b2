import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateFunctionCommand, type LambdaClient, PutFunctionConcurrencyCommand } from '@aws-sdk/client-lambda';
import { GetParameterCommand, ParameterNotFound, PutParameterCommand, type SSMClient } from '@aws-sdk/client-ssm';
import { build as esbuild } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Account, accountOf, cdkCommand, regionOf } from '../../infra/account.ts';
import { packEngine, UNBUNDLED } from '../../infra/build/bundles.ts';
import type { EnginePackages } from '../../infra/build/lambda-engine.ts';
import { deploy } from '../../infra/deployment.ts';
import { concurrencyOfQueues, limitWarnings } from '../../infra/lambda-limits.ts';
import { type Clients, operatorClients } from '../../infra/operator.ts';
import { type LambdaArchitecture, settings } from '../../infra/settings.ts';
import { LocalCloud } from '../../packages/local-cloud/index.ts';
import { zip } from '../../packages/local-cloud/testing/index.ts';

const ROOT = join(import.meta.dirname, '../..');
const BINDINGS = { arm64: '@duckdb/node-bindings-linux-arm64', x86_64: '@duckdb/node-bindings-linux-x64' } as const;

/** A processor whose engine is not among the packages installed here. */
const FOREIGN: LambdaArchitecture = existsSync(join(ROOT, 'node_modules', BINDINGS.arm64)) ? 'x86_64' : 'arm64';

let folder: string;
let cloud: LocalCloud;
let clients: Clients;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'deploy-'));
  cloud = await LocalCloud.open({ dataDir: join(folder, 'data'), port: 0 });
  clients = operatorClients(cloud.endpoint);
});
afterEach(async () => {
  for (const client of Object.values(clients)) client.destroy();
  await cloud.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A checkout with nothing installed but what the registry (`run`) then gives. */
function emptyCheckout(): string {
  writeFileSync(
    join(folder, 'package-lock.json'),
    JSON.stringify({ packages: { 'node_modules/@duckdb/node-bindings': { version: '1.2.3' } } }),
  );
  return folder;
}

function install(modules: string, name: string): void {
  mkdirSync(join(modules, name), { recursive: true });
  writeFileSync(join(modules, name, 'package.json'), JSON.stringify({ name, version: '1.2.3' }));
}

/** Deploys as `npm run deploy` does, with programs that only note how they were called. */
async function deployed(options: {
  architecture: LambdaArchitecture;
  arguments?: string[];
  account?: Partial<Account>;
  registry?: (modules: string) => void;
}) {
  const calls: string[] = [];
  const variables: Record<string, string>[] = [];
  const log: string[] = [];
  const engines: EnginePackages[] = [];
  await deploy({
    root: emptyCheckout(),
    settings: settings({ LAMBDA_ARCHITECTURE: options.architecture }),
    account: { profile: undefined, region: 'us-east-1', ...options.account },
    clients,
    arguments: options.arguments ?? [],
    run(program, args, where, given = {}) {
      variables.push(given);
      calls.push([program, ...args].join(' '));
      if (program !== 'npm') return 0;
      options.registry?.(join(where, 'node_modules'));
      return options.registry ? 0 : 1;
    },
    build: async (engine) => engines.push(engine),
    log: (line) => log.push(line),
  }).catch((error: Error) => log.push(error.message));
  return { calls, variables, engines, log: log.join('\n') };
}

function bootstrap(version: string) {
  const Name = '/cdk-bootstrap/hnb659fds/version';
  return clients.ssm.send(new PutParameterCommand({ Name, Value: version, Type: 'String', Overwrite: true }));
}

function masterSecret() {
  return clients.ssm.send(new GetParameterCommand({ Name: '/analytics/master-secret', WithDecryption: true }));
}

const offered = (architecture: LambdaArchitecture) => (modules: string) => {
  for (const name of ['@duckdb/node-bindings', BINDINGS[architecture]]) install(modules, name);
};

describe('npm run deploy', () => {
  it('stops before it makes anything when the account is not bootstrapped, or too long ago', async () => {
    const never = await deployed({ architecture: 'arm64', registry: offered('arm64') });
    expect(never).toMatchObject({ calls: [], engines: [] });
    expect(never.log).toContain('npm run cdk -- bootstrap --region us-east-1');
    await bootstrap('5');
    const old = await deployed({ architecture: 'arm64', registry: offered('arm64') });
    expect(old).toMatchObject({ calls: [], engines: [] });
    expect(old.log).toContain('version 5; at least 6');
    await expect(masterSecret()).rejects.toThrow(ParameterNotFound);
  });

  it('makes the master secret once, and hands stacks and options to the CDK', async () => {
    await bootstrap('30');
    const first = await deployed({ architecture: 'arm64', registry: offered('arm64') });
    expect(first.log).toContain('Created the master secret /analytics/master-secret. Back it up.');
    expect(first.calls.at(-1)).toBe('npx cdk deploy --all --require-approval never --outputs-file dist/outputs.json');
    const made = (await masterSecret()).Parameter;
    expect(Buffer.from(made?.Value ?? '', 'base64')).toHaveLength(32);

    const again = await deployed({
      ...{ architecture: 'arm64', registry: offered('arm64') },
      arguments: ['--require-approval=broadening'],
      account: { profile: 'work' },
    });
    expect(again.log).not.toContain('Created the master secret');
    expect(again.calls).toEqual([
      'npx cdk deploy --all --outputs-file dist/outputs.json --require-approval=broadening --profile work',
    ]);
    expect(again.variables).toEqual([{ AWS_REGION: 'us-east-1' }]);
    expect((await masterSecret()).Parameter).toMatchObject({ Value: made?.Value, Version: 1 });
  });

  it.each(['arm64', 'x86_64'] as const)('builds with the engine of %s', async (architecture) => {
    await bootstrap('30');
    const { calls, engines } = await deployed({ architecture, registry: offered(architecture) });
    const cpu = architecture === 'arm64' ? 'arm64' : 'x64';
    expect(calls[0]).toContain(`--cpu=${cpu} --libc=glibc @duckdb/node-bindings@1.2.3`);
    expect(engines[0]?.names).toEqual(['@duckdb/node-bindings', BINDINGS[architecture]]);
  });

  it('names the other processor when the registry lacks the engine of the chosen one', async () => {
    await bootstrap('30');
    for (const registry of [undefined, () => {}]) {
      const { log, engines } = await deployed({ architecture: 'arm64', ...(registry && { registry }) });
      expect(log).toContain('LAMBDA_ARCHITECTURE=x86_64 npm run deploy');
      expect(engines).toEqual([]);
    }
    await expect(masterSecret()).rejects.toThrow(ParameterNotFound);
  });

  it('refuses wrong settings, naming every one', () => {
    const wrong = {
      DEPLOYMENT_NAME: 'my stack',
      WEBHOOK_BACKOFF_SECONDS: '1,x',
      PASSWORD_COST: '9',
      WORKSPACE_STARTS_PER_MINUTE: '0',
      LAMBDA_ARCHITECTURE: 'arm',
      MAIL_FROM: 'Analytics',
      APP_URL: 'javascript:alert(1)',
      AI_PROVIDER: 'oracle',
      AI_BASE_URL: 'here',
      AI_EMBEDDING_MODEL: 'vectors',
    };
    expect(() => settings(wrong)).toThrow(
      /DEPLOYMENT_NAME.*"my stack".*WEBHOOK_BACKOFF_SECONDS.*"1,x".*PASSWORD_COST.*"9".*WORKSPACE_STARTS_PER_MINUTE.*"0".*LAMBDA_ARCHITECTURE must be arm64 or x86_64, not "arm".*MAIL_FROM must be .*"Analytics".*APP_URL must be .*"javascript:alert.1.".*AI_PROVIDER must be .*"oracle".*AI_MODEL must be set together.*AI_EMBEDDING_MODEL needs.*AI_BASE_URL.*"here"/s,
    );
  });
});

describe('the account', () => {
  const chosen = (given: string[], environment: NodeJS.ProcessEnv = {}) => accountOf(given, environment).account;

  it('is that of the options, else that of the environment, in the order of the CDK', () => {
    const environment = { AWS_PROFILE: 'home', AWS_REGION: 'us-west-2', AWS_DEFAULT_REGION: 'us-east-2' };
    expect(chosen(['--profile', 'work', '--region=eu-west-1'], environment)).toEqual({
      profile: 'work',
      region: 'eu-west-1',
    });
    expect(chosen([], environment)).toEqual({ profile: 'home', region: 'us-west-2' });
    expect(chosen([], { AWS_DEFAULT_PROFILE: 'old', AWS_DEFAULT_REGION: 'us-east-2' })).toEqual({
      profile: 'old',
      region: 'us-east-2',
    });
    expect(chosen([])).toEqual({ profile: undefined, region: undefined });
  });

  it('is taken out of the arguments, and the CDK gets it in its own way', () => {
    const { account, rest } = accountOf(['deploy', '--profile=work', '--all', '--region', 'eu-west-1'], {});
    expect(rest).toEqual(['deploy', '--all']);
    expect(cdkCommand(account, rest)).toEqual({
      arguments: ['cdk', 'deploy', '--all', '--profile', 'work'],
      variables: { AWS_REGION: 'eu-west-1' },
    });
    for (const given of [['--profile'], ['--region', '--all']]) {
      expect(() => accountOf(given, {})).toThrow(/--(profile|region) needs a value/);
    }
  });

  it('is the same for every client: credentials and region of the profile, even if the environment has others', async () => {
    writeFileSync(
      join(folder, 'config'),
      ['default', 'profile work'].map((name) => `[${name}]\nregion = ${name.slice(-4)}-region\n`).join('\n'),
    );
    writeFileSync(
      join(folder, 'credentials'),
      ['default', 'work']
        .map((name) => `[${name}]\naws_access_key_id = key-of-${name}\naws_secret_access_key = x\n`)
        .join('\n'),
    );
    vi.stubEnv('AWS_CONFIG_FILE', join(folder, 'config'));
    vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', join(folder, 'credentials'));
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'key-of-the-environment');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'x');
    for (const name of ['AWS_REGION', 'AWS_DEFAULT_REGION', 'AWS_PROFILE']) vi.stubEnv(name, undefined);
    onTestFinished(() => void vi.unstubAllEnvs());
    const identities = (account: Account) =>
      Promise.all(
        Object.values(operatorClients(account)).map(async (client: SSMClient | LambdaClient) => ({
          key: (await client.config.credentials()).accessKeyId,
          region: await regionOf(client),
        })),
      );
    const twice = <T>(value: T) => [value, value];
    expect(await identities(chosen(['--profile', 'work'], {}))).toEqual(
      twice({ key: 'key-of-work', region: 'work-region' }),
    );
    expect(await identities(chosen(['--profile', 'work', '--region', 'eu-west-1'], {}))).toEqual(
      twice({ key: 'key-of-work', region: 'eu-west-1' }),
    );
    expect(await identities(chosen([], { AWS_DEFAULT_REGION: 'us-east-2' }))).toEqual(
      twice({ key: 'key-of-the-environment', region: 'us-east-2' }),
    );
  });

  it('must have a region', async () => {
    vi.stubEnv('AWS_CONFIG_FILE', join(folder, 'none'));
    for (const name of ['AWS_REGION', 'AWS_DEFAULT_REGION', 'AWS_PROFILE']) vi.stubEnv(name, undefined);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { ssm } = operatorClients({ profile: undefined, region: undefined });
    await expect(regionOf(ssm)).rejects.toThrow('Add --region');
  });
});

describe('the limits of an account', () => {
  const account = { profile: 'work', region: 'eu-west-1' };

  it('are reported before anything is made, with the command that asks for more', async () => {
    const [concurrency, memory] = limitWarnings({ UnreservedConcurrentExecutions: 10 }, account);
    expect(concurrency).toMatch(
      /10 executions .* up to \d+, .* --desired-value 1000 --profile work --region eu-west-1$/,
    );
    expect(memory).toMatch(/3,008 MB .* cannot be read .* 10,240 MB/);
    const role = 'arn:aws:iam::000000000000:role/any';
    await createFunction('greedy', role);
    const reserved = 1000 - concurrencyOfQueues();
    await clients.lambda.send(
      new PutFunctionConcurrencyCommand({ FunctionName: 'greedy', ReservedConcurrentExecutions: reserved }),
    );
    await bootstrap('30');
    const { log, engines } = await deployed({ architecture: 'arm64' });
    expect(log).toContain(`in this account and region ${concurrencyOfQueues()} executions`);
    expect(engines).toEqual([]);
  });

  it('are not mentioned where they suffice', async () => {
    await bootstrap('30');
    const { log } = await deployed({ architecture: 'arm64', registry: offered('arm64') });
    expect(log).not.toContain('Warning');
    expect(limitWarnings({ UnreservedConcurrentExecutions: concurrencyOfQueues() + 1 }, account)).toEqual([]);
  });
});

function createFunction(FunctionName: string, Role: string) {
  const ZipFile = zip({ 'index.mjs': 'export const handler = () => {};' });
  return clients.lambda.send(
    new CreateFunctionCommand({
      FunctionName,
      Role,
      Runtime: 'nodejs24.x',
      Handler: 'index.handler',
      Code: { ZipFile },
    }),
  );
}

describe('the bundle of the functions with DuckDB', () => {
  const packed = () => readdirSync(join(folder, 'bundle/node_modules/@duckdb')).sort();

  it('holds the native library of the chosen processor and no other', async () => {
    const modules = join(folder, 'installed');
    for (const architecture of ['arm64', 'x86_64'] as const) offered(architecture)(modules);
    const names = ['@duckdb/node-bindings', BINDINGS[FOREIGN]];
    await packEngine(ROOT, join(folder, 'bundle'), { modules, names });
    expect(packed()).toEqual(names.map((name) => name.slice('@duckdb/'.length)).sort());
  });

  it.runIf(process.platform === 'linux')('computes, when it is for a processor like this one', async () => {
    const binding = BINDINGS[FOREIGN === 'arm64' ? 'x86_64' : 'arm64'];
    const names = ['@duckdb/node-bindings', binding];
    await packEngine(ROOT, join(folder, 'bundle'), { modules: join(ROOT, 'node_modules'), names });
    expect(packed()).toHaveLength(2);
    const program = `
      import { DuckDBInstance } from '@duckdb/node-api';
      const connected = DuckDBInstance.create(':memory:').then((instance) => instance.connect());
      connected.then(async (connection) => {
        console.log((await connection.runAndReadAll('SELECT 6 * 7')).getRows()[0][0]);
      });`;
    const outfile = join(folder, 'bundle/index.cjs');
    const stdin = { contents: program, resolveDir: ROOT };
    await esbuild({ stdin, outfile, bundle: true, format: 'cjs', platform: 'node', external: UNBUNDLED });
    expect(execFileSync(process.execPath, [outfile]).toString().trim()).toBe('42');
  });
});
