import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, CrossStackReferences, ReferenceStrength, Validations } from 'aws-cdk-lib';
import { DISABLE_ASSET_STAGING_CONTEXT } from 'aws-cdk-lib/cx-api';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { GROUPS } from '../functions/api.ts';
import type { Group } from '../functions/group.ts';
import { chooseArchitecture } from './constructs/bundled-function.ts';
import { acknowledgeFindings } from './nag-acknowledgements.ts';
import { type Settings, settings } from './settings.ts';
import { CaptureStack } from './stacks/capture-stack.ts';
import { DataStack } from './stacks/data-stack.ts';
import { ObservabilityStack } from './stacks/observability-stack.ts';
import { RuntimeStack } from './stacks/runtime-stack.ts';

/** Defines the stacks of one deployment. Findings of the offline checks fail the synthesis. */
export function defineApp(
  app: App,
  { name, lambdaArchitecture, streamingCapture, restoredBucket, restoredTableStream, ...chosen }: Settings,
  groups: readonly Group[] = GROUPS,
): App {
  chooseArchitecture(app, lambdaArchitecture);
  // A strong export would prevent replacing a resource that another stack refers to.
  CrossStackReferences.of(app).consume(ReferenceStrength.WEAK);
  const data = new DataStack(app, `${name}Data`, { restoredBucket, restoredTableStream });
  const runtime = new RuntimeStack(app, `${name}Runtime`, { data, groups, ...chosen });
  runtime.addStackDependency(data);
  const observability = new ObservabilityStack(app, `${name}Observability`, { runtime });
  observability.addStackDependency(runtime);
  if (streamingCapture) new CaptureStack(app, `${name}Capture`, { data, ...chosen }).addStackDependency(runtime);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
  acknowledgeFindings(app, { name, ai: chosen.ai, restoredBucket });
  return app;
}

/**
 * Writes the cloud assembly to `outdir` for the local cloud. It refers to the folders in `dist/` instead of copying the
 * engine's 100 MB: the local cloud copies what it deploys. CloudFormation's own rules are left to `npm run synth`, to
 * deployments and to the tests of the templates: they take half of the time, and the local cloud checks every property
 * anyway.
 */
export function synthesize(outdir: string, chosen: Settings = settings()): void {
  const chosenFlags = JSON.parse(readFileSync(join(import.meta.dirname, '../cdk.json'), 'utf8')).context;
  const context = { ...chosenFlags, [DISABLE_ASSET_STAGING_CONTEXT]: true };
  const app = new App({ outdir, context, analyticsReporting: false, builtinCloudFormationValidation: false });
  defineApp(app, chosen).synth();
}
