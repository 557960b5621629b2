import type { Stack } from 'aws-cdk-lib';
import type { AiSettings } from '../../shared/platform/ai/settings.ts';

/**
 * An inference profile serves a model from several regions: `eu.<model>` runs `<model>` in any European region with
 * capacity.
 */
const PROFILE = /^(us|us-gov|eu|apac|jp|au|global)\./;

export const withoutProfile = (model: string): string => model.replace(PROFILE, '');

/**
 * The resources that a call of the deployment's model accesses: on Bedrock the model, and its inference profile if it
 * has one.
 */
export function languageModelArns(stack: Stack, ai: AiSettings | null): string[] {
  if (ai?.provider !== 'amazon-bedrock') return [];
  const bedrock = { service: 'bedrock', resource: 'foundation-model' };
  if (!PROFILE.test(ai.model)) return [stack.formatArn({ ...bedrock, account: '', resourceName: ai.model })];
  return [
    stack.formatArn({ ...bedrock, resource: 'inference-profile', resourceName: ai.model }),
    stack.formatArn({ ...bedrock, account: '', region: '*', resourceName: withoutProfile(ai.model) }),
  ];
}
