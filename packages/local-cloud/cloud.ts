import { join } from 'node:path';
import { Admin } from './admin.ts';
import { Assets, imageKey } from './assembly/assets.ts';
import { createClients, destroyClients } from './assembly/clients.ts';
import { Deployer, type ResourceChange } from './assembly/deployer.ts';
import { type DeployedResource, DeploymentStore } from './assembly/deployment-store.ts';
import { resourceTypes } from './assembly/resources/index.ts';
import { Credentials } from './core/access/credentials.ts';
import { type Clock, systemClock } from './core/clock.ts';
import { Faults } from './core/faults.ts';
import { Front } from './core/front.ts';
import type { CloudContext } from './core/service.ts';
import { DataDirectory } from './data-directory.ts';
import { Iam } from './iam/iam.ts';
import type { PolicySources } from './iam/resource-policies.ts';
import type { FunctionHost } from './services/lambda/execution/hosted-environment.ts';
import { closeServices, createServices, type Services } from './services.ts';

export interface LocalCloudOptions {
  /** Folder for all data; created if missing. */
  dataDir: string;
  /** 0 picks a free port. */
  port: number;
  /** Default: loopback. */
  host?: string;
  clock?: Clock;
  faults?: Faults;
  /** Path to which `GET /` redirects. Default: none, because an API on AWS has no such address. */
  home?: string;
  /** Runs some functions in this process, for tests of many functions. Default: each runs in processes of its own. */
  functionHost?: FunctionHost;
  /** Receives the local cloud's own log, line by line. Default: no log. */
  log?: (message: string) => void;
}

/** Values of the stacks' outputs: stack → output → value. */
export type OutputValues = Record<string, Record<string, string>>;

export interface DeployResult {
  outputs: OutputValues;
  /** Resources that were created, changed or removed; empty if the deployment was up to date. */
  changed: ResourceChange[];
}

const REGION = 'us-east-1';
const ACCOUNT_ID = '000000000000';

/** AWS on this machine: the services behind one port, with all their data in one folder. */
export class LocalCloud {
  /** Base URL of the AWS services and of the APIs' stages, such as `http://127.0.0.1:3000`. */
  readonly endpoint: string;
  readonly faults: Faults;
  readonly services: Services;
  readonly #directory: DataDirectory;
  readonly #front: Front;
  readonly #assets: Assets;
  readonly #deployments: DeploymentStore;
  readonly #iam: Iam;

  private constructor(
    parts: Pick<LocalCloud, 'endpoint' | 'faults' | 'services'> & {
      directory: DataDirectory;
      front: Front;
      assets: Assets;
      deployments: DeploymentStore;
      iam: Iam;
    },
  ) {
    this.endpoint = parts.endpoint;
    this.faults = parts.faults;
    this.services = parts.services;
    this.#directory = parts.directory;
    this.#front = parts.front;
    this.#assets = parts.assets;
    this.#deployments = parts.deployments;
    this.#iam = parts.iam;
  }

  /**
   * Starts the services on the data in the folder, including earlier deployments. Rejects if another local cloud uses
   * the folder or the port is taken.
   */
  static async open(options: LocalCloudOptions): Promise<LocalCloud> {
    const { host = '127.0.0.1', clock = systemClock, log = () => {} } = options;
    const faults = options.faults ?? new Faults();
    const directory = new DataDirectory(options.dataDir);
    const credentials = Credentials.openFile(join(directory.path, 'credentials.key'));
    const front = new Front({ credentials, hosts: [host] });
    let deployments: DeploymentStore | undefined;
    try {
      const port = await front.listen(options.port, host);
      options.functionHost?.open({
        port,
        connect: () => front.connect(),
        callDynamoDb: (...call) => front.callDynamoDb(...call),
      });
      const endpoint = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
      const assets = new Assets(directory.folder('assets'));
      const store = new DeploymentStore(join(directory.folder('deployments'), 'deployments.sqlite'));
      deployments = store;
      const policySources: PolicySources = {};
      const iam = new Iam({
        resources: () => store.resources(),
        policySources,
        log: (message) => log(`iam: ${message}`),
      });
      const contextOf = (service: string): CloudContext => ({
        region: REGION,
        accountId: ACCOUNT_ID,
        dataDir: directory.folder(service),
        clock,
        faults,
        authorizer: iam,
        random: Math.random,
        endpoint: () => endpoint,
        log: (message) => log(`${service}: ${message}`),
      });
      const sources = {
        code: async ({ S3Key }: { S3Key: string }) => assets.folder(S3Key),
        images: (image: string) => assets.imageFolder(image),
        host: options.functionHost,
      };
      const services = createServices(contextOf, sources, credentials, policySources);
      for (const service of [...Object.values(services.aws), services.apiGateway]) front.add(service);
      const admin = new Admin({ faults, capacity: () => meters(services), access: () => iam.report() });
      front.otherwise((message, response) => {
        const { ecs, ses } = services.aws;
        if (ecs.serveCredentials(message, response) || ses.serveInbox(message, response)) return;
        if (admin.handle(message, response)) return;
        if (options.home !== undefined && message.method === 'GET' && /^\/(\?|$)/.test(message.url ?? '')) {
          response.writeHead(302, { location: options.home }).end();
        } else {
          services.apiGateway.serve(message, response);
        }
      });
      return new LocalCloud({ endpoint, faults, services, directory, front, assets, deployments: store, iam });
    } catch (error) {
      await front.close();
      deployments?.close();
      directory.release();
      throw error;
    }
  }

  /**
   * Deploys a synthesized cloud assembly. Rejects with `AssemblyRejected` before any change if something in it is not
   * supported.
   */
  async deploy(cloudAssemblyDir: string): Promise<DeployResult> {
    const clients = createClients(this.endpoint, REGION);
    const store = this.#deployments;
    try {
      const deployer = new Deployer({
        store,
        types: resourceTypes,
        context: {
          region: REGION,
          accountId: ACCOUNT_ID,
          endpoint: this.endpoint,
          clients,
          apiGateway: this.services.apiGateway.control,
          ecs: this.services.aws.ecs,
        },
        policiesChanged: () => this.#iam.policiesChanged(),
        keepAssets: (assets) => this.#assets.keep(assets),
      });
      const before = store.resources().flatMap(assetKeys);
      const changed = await deployer.deploy(cloudAssemblyDir);
      // Running calls may still load the old code, so it stays until the next change.
      await this.#assets.prune(new Set([...before, ...store.resources().flatMap(assetKeys)]));
      return { outputs: this.outputs, changed };
    } finally {
      destroyClients(clients);
    }
  }

  /** Outputs of the deployed stacks: stack → output → value. */
  get outputs(): OutputValues {
    return Object.fromEntries(
      [...this.#deployments.outputs()].map(([stack, outputs]) => [
        stack,
        Object.fromEntries([...outputs].map(([name, { value }]) => [name, value])),
      ]),
    );
  }

  /** Stops serving, ends functions and closes all files. */
  async close(): Promise<void> {
    await this.#front.close();
    await closeServices(this.services);
    this.#deployments.close();
    this.#directory.release();
  }
}

function assetKeys({ properties }: DeployedResource): string[] {
  const { S3Key } = (properties.Code ?? {}) as { S3Key?: string };
  const containers = (properties.ContainerDefinitions ?? []) as { Image: string }[];
  return [...(S3Key === undefined ? [] : [S3Key]), ...containers.map(({ Image }) => imageKey(Image))];
}

function meters({ aws }: Services): unknown {
  return {
    dynamodb: aws.dynamodb.capacity(),
    sqs: { requests: aws.sqs.requests() },
    states: { transitions: aws.states.transitions() },
  };
}
