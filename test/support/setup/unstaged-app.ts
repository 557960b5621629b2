import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, type AppProps } from 'aws-cdk-lib';
import { DISABLE_ASSET_STAGING_CONTEXT } from 'aws-cdk-lib/cx-api';

/** An app with the flags of `cdk.json` that refers to the folders in `dist/` instead of copying their 100 MB. */
export function unstagedApp(props: AppProps): App {
  const { context } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../cdk.json'), 'utf8'));
  return new App({
    ...props,
    context: { ...context, [DISABLE_ASSET_STAGING_CONTEXT]: true },
    analyticsReporting: false,
  });
}
