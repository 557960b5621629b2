import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DeployResult, LocalCloud } from '../../../../infra/local/cloud.ts';

export interface Deployment {
  readonly cloud: LocalCloud;
  /** Deploys hand-written templates as one assembly, in the given order. */
  deploy(stacks: Record<string, object>): Promise<DeployResult>;
  /** Closes the cloud and opens it again on the same data, on another port unless said otherwise. */
  restart(options?: { samePort: boolean }): Promise<void>;
  /** A new folder that goes with the deployment. */
  folder(name: string): string;
  close(): Promise<void>;
}

/** A whole local cloud of its own, on a free port. */
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

function writeAssembly(folder: string, stacks: Record<string, object>): void {
  const names = Object.keys(stacks);
  const artifacts = names.map((name, index) => [
    name,
    {
      type: 'aws:cloudformation:stack',
      properties: { templateFile: `${name}.template.json` },
      dependencies: names.slice(0, index),
    },
  ]);
  for (const [name, template] of Object.entries(stacks)) {
    writeFileSync(join(folder, `${name}.template.json`), JSON.stringify(template));
  }
  writeFileSync(
    join(folder, 'manifest.json'),
    JSON.stringify({ version: '55.0.0', artifacts: Object.fromEntries(artifacts.reverse()) }),
  );
}

/** Options of an SDK client for the deployment. */
export function clientOptions(cloud: LocalCloud) {
  return {
    region: 'us-east-1',
    endpoint: cloud.endpoint,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    maxAttempts: 1,
  };
}
