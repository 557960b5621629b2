import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type DeployResult, LocalCloud } from '../../../cloud.ts';

export interface Deployment {
  readonly cloud: LocalCloud;
  /** Deploys hand-written templates as one assembly, in the given order. */
  deploy(stacks: Record<string, object>): Promise<DeployResult>;
  /** Closes the cloud and opens it again on the same data, by default on another port. */
  restart(options?: { samePort: boolean }): Promise<void>;
  /** A new folder, removed with the deployment. */
  folder(name: string): string;
  close(): Promise<void>;
}

/** A complete local cloud on a free port. */
export async function startDeployment(): Promise<Deployment> {
  const root = mkdtempSync(join(tmpdir(), 'assembly-'));
  const open = (port: number) => LocalCloud.open({ dataDir: join(root, 'data'), port });
  let cloud = await open(0);
  let count = 0;
  const folder = (name: string) => {
    const path = join(root, name);
    mkdirSync(path, { recursive: true });
    return path;
  };
  return {
    get cloud() {
      return cloud;
    },
    folder,
    async deploy(stacks) {
      count += 1;
      const path = folder(`assembly-${count}`);
      writeAssembly(path, stacks);
      return cloud.deploy(path);
    },
    async restart(options) {
      const port = options?.samePort ? Number(new URL(cloud.endpoint).port) : 0;
      await cloud.close();
      cloud = await open(port);
    },
    async close() {
      await cloud.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** Writes an assembly of hand-written templates; `assets` are the files of each folder by object key. */
export function writeAssembly(
  folder: string,
  stacks: Record<string, object>,
  assets: Record<string, Record<string, string>> = {},
): void {
  const write = (path: string, content: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  const names = Object.keys(stacks);
  // Last stack first, so that only the dependencies determine the order.
  const artifacts: [string, object][] = names
    .map((name, index): [string, object] => [
      name,
      {
        type: 'aws:cloudformation:stack',
        properties: { templateFile: `${name}.template.json` },
        dependencies: names.slice(0, index),
      },
    ])
    .reverse();
  for (const [name, template] of Object.entries(stacks)) write(`${name}.template.json`, JSON.stringify(template));
  const files = Object.entries(assets).map(([objectKey, contents]) => {
    for (const [path, content] of Object.entries(contents)) write(join(`asset.${objectKey}`, path), content);
    const source = { path: `asset.${objectKey}`, packaging: 'zip' };
    return [objectKey, { source, destinations: { here: { objectKey } } }];
  });
  write('assets.json', JSON.stringify({ files: Object.fromEntries(files) }));
  artifacts.push(['assets', { type: 'cdk:asset-manifest', properties: { file: 'assets.json' } }]);
  write('manifest.json', JSON.stringify({ version: '55.0.0', artifacts: Object.fromEntries(artifacts) }));
}

/** Options of an SDK client for the deployment. */
export function clientOptions(cloud: LocalCloud) {
  return {
    region: 'us-east-1',
    endpoint: cloud.endpoint,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
  };
}
