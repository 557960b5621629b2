import type { Stack } from 'aws-cdk-lib';
import type { AiSettings } from '../../shared/platform/ai/settings.ts';

/**
 * An inference profile serves a model from several regions: `eu.<model>` runs `<model>` in any European region with
 * capacity.
 */
const PROFILE = /^(us|us-gov|eu|apac|jp|au|global)\./;

export const withoutProfile = (model: string): string => model.replace(PROFILE, '');

/**
 * The resources that calls of the deployment's models access: on Bedrock the models, and their inference profiles if
 * they have them.
 */
export function languageModelArns(stack: Stack, ai: AiSettings | null): string[] {
  if (ai?.provider !== 'amazon-bedrock') return [];
  const models = [ai.model, ...(ai.embeddingModel ? [ai.embeddingModel] : [])];
  return models.flatMap((model) => arnsOf(stack, model));
}

function arnsOf(stack: Stack, model: string): string[] {
  const bedrock = { service: 'bedrock', resource: 'foundation-model' };
  if (!PROFILE.test(model)) return [stack.formatArn({ ...bedrock, account: '', resourceName: model })];
  return [
    stack.formatArn({ ...bedrock, resource: 'inference-profile', resourceName: model }),
    stack.formatArn({ ...bedrock, account: '', region: '*', resourceName: withoutProfile(model) }),
  ];
}
