import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/**
 * The built folder under `dist/`. Undefined if it is not built and the command of the CDK does not need it: `cdk
 * bootstrap`, `cdk destroy` and `cdk list` synthesize the stacks only for their names and accounts. Throws what to do
 * for a command that would deploy or compare the code.
 */
export function bundleFolder(scope: Construct, name: string): string | undefined {
  const folder = join(import.meta.dirname, '../../dist', name);
  if (existsSync(folder)) return folder;
  if (!Stack.of(scope).bundlingRequired) return undefined;
  throw new Error(
    `The bundle dist/${name} is missing. Run npm run build, or deploy with npm run deploy, which builds it.`,
  );
}
