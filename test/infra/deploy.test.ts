import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetParameterCommand, ParameterNotFound, PutParameterCommand } from '@aws-sdk/client-ssm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { packEngine } from '../../infra/build/bundles.ts';
import type { EnginePackages } from '../../infra/build/lambda-engine.ts';
import { deploy } from '../../infra/deployment.ts';
import { LocalCloud } from '../../infra/local-cloud/index.ts';
import { type Clients, operatorClients } from '../../infra/operator.ts';
import { type LambdaArchitecture, settings } from '../../infra/settings.ts';

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
    JSON.stringify({ packages: { 'node_modules/@duckdb/node-api': { version: '1.2.3' } } }),
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
  registry?: (modules: string) => void;
}) {
  const calls: string[] = [];
  const log: string[] = [];
  const engines: EnginePackages[] = [];
  await deploy({
    root: emptyCheckout(),
    settings: settings({ LAMBDA_ARCHITECTURE: options.architecture }),
    clients,
    arguments: options.arguments ?? [],
    run(program, args, where) {
      calls.push([program, ...args].join(' '));
      if (program !== 'npm') return 0;
      options.registry?.(join(where, 'node_modules'));
      return options.registry ? 0 : 1;
    },
    build: async (engine) => engines.push(engine),
    log: (line) => log.push(line),
  }).catch((error: Error) => log.push(error.message));
  return { calls, engines, log: log.join('\n') };
}

function bootstrap(version: string) {
  const Name = '/cdk-bootstrap/hnb659fds/version';
  return clients.ssm.send(new PutParameterCommand({ Name, Value: version, Type: 'String', Overwrite: true }));
}

function masterSecret() {
  return clients.ssm.send(new GetParameterCommand({ Name: '/analytics/master-secret', WithDecryption: true }));
}

const offered = (architecture: LambdaArchitecture) => (modules: string) => {
  for (const name of ['@duckdb/node-api', '@duckdb/node-bindings', BINDINGS[architecture]]) install(modules, name);
};

describe('npm run deploy', () => {
  it('stops before it makes anything when the account is not bootstrapped, or too long ago', async () => {
    const never = await deployed({ architecture: 'arm64', registry: offered('arm64') });
    expect(never).toMatchObject({ calls: [], engines: [] });
    expect(never.log).toContain('npx cdk bootstrap');
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
      arguments: ['--require-approval=broadening', '--profile', 'work'],
    });
    expect(again.log).not.toContain('Created the master secret');
    expect(again.calls).toEqual([
      'npx cdk deploy --all --outputs-file dist/outputs.json --require-approval=broadening --profile work',
    ]);
    expect((await masterSecret()).Parameter).toMatchObject({ Value: made?.Value, Version: 1 });
  });

  it.each(['arm64', 'x86_64'] as const)('builds with the engine of %s', async (architecture) => {
    await bootstrap('30');
    const { calls, engines } = await deployed({ architecture, registry: offered(architecture) });
    const cpu = architecture === 'arm64' ? 'arm64' : 'x64';
    expect(calls[0]).toContain(`--cpu=${cpu} --libc=glibc @duckdb/node-api@1.2.3`);
    expect(engines[0]?.names).toEqual(['@duckdb/node-api', '@duckdb/node-bindings', BINDINGS[architecture]]);
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
      AI_PROVIDER: 'oracle',
      AI_BASE_URL: 'here',
    };
    expect(() => settings(wrong)).toThrow(
      /DEPLOYMENT_NAME.*"my stack".*WEBHOOK_BACKOFF_SECONDS.*"1,x".*PASSWORD_COST.*"9".*WORKSPACE_STARTS_PER_MINUTE.*"0".*LAMBDA_ARCHITECTURE must be arm64 or x86_64, not "arm".*AI_PROVIDER must be .*"oracle".*AI_MODEL must be set together.*AI_BASE_URL.*"here"/s,
    );
  });
});

describe('the bundle of the functions with DuckDB', () => {
  const packed = () => readdirSync(join(folder, 'bundle/node_modules/@duckdb')).sort();

  it('holds the native library of the chosen processor and no other', async () => {
    const modules = join(folder, 'installed');
    for (const architecture of ['arm64', 'x86_64'] as const) offered(architecture)(modules);
    const names = ['@duckdb/node-api', '@duckdb/node-bindings', BINDINGS[FOREIGN]];
    await packEngine(ROOT, join(folder, 'bundle'), { modules, names });
    expect(packed()).toEqual(names.map((name) => name.slice('@duckdb/'.length)).sort());
  });

  it.runIf(process.platform === 'linux')('computes, when it is for a processor like this one', async () => {
    const binding = BINDINGS[FOREIGN === 'arm64' ? 'x86_64' : 'arm64'];
    const names = ['@duckdb/node-api', '@duckdb/node-bindings', binding];
    await packEngine(ROOT, join(folder, 'bundle'), { modules: join(ROOT, 'node_modules'), names });
    expect(packed()).toHaveLength(3);
    const program = `
      import { DuckDBInstance } from '@duckdb/node-api';
      const connection = await (await DuckDBInstance.create(':memory:')).connect();
      console.log((await connection.runAndReadAll('SELECT 6 * 7')).getRows()[0][0]);`;
    writeFileSync(join(folder, 'bundle/index.mjs'), program);
    expect(
      execFileSync(process.execPath, [join(folder, 'bundle/index.mjs')])
        .toString()
        .trim(),
    ).toBe('42');
  });
});
