import { Duration, Stack } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import type { AiSettings } from '../../shared/platform/ai/settings.ts';
import { BundledFunction } from './bundled-function.ts';
import { allow, grantInvoke } from './grants.ts';

export interface AiPlaneProps {
  ai: AiSettings | null;
  keyParameter: string;
  allowedPrivateCidrs: string;
  /** Endpoint groups with operations that ask the model. */
  askers: readonly BundledFunction[];
}

/** A model of another region serves a profile: `eu.<model>` is `<model>` wherever in Europe there is room. */
const PROFILE = /^(us|us-gov|eu|apac|jp|au|global)\./;

export const withoutProfile = (model: string): string => model.replace(PROFILE, '');

/**
 * The one function that speaks with the AI provider: it reads the key, may call the one model of the deployment on
 * Bedrock, and reaches neither table nor bucket.
 */
export class AiPlane extends Construct {
  readonly function: BundledFunction;

  constructor(scope: Construct, id: string, { ai, keyParameter, allowedPrivateCidrs, askers }: AiPlaneProps) {
    super(scope, id);
    this.function = new BundledFunction(this, 'Ai', {
      name: 'ask-model',
      description: 'Asks the AI provider of the deployment.',
      memoryMb: 512,
      timeout: Duration.seconds(28),
      environment: {
        AI_PROVIDER: ai?.provider ?? '',
        AI_MODEL: ai?.model ?? '',
        AI_BASE_URL: ai?.baseUrl ?? '',
        AI_KEY_PARAMETER: keyParameter,
        ALLOWED_PRIVATE_CIDRS: allowedPrivateCidrs,
      },
    });
    const stack = Stack.of(this);
    const key = stack.formatArn({ service: 'ssm', resource: 'parameter', resourceName: keyParameter.slice(1) });
    allow(this.function, ['ssm:GetParameter'], [key]);
    if (ai?.provider === 'amazon-bedrock') allow(this.function, ['bedrock:InvokeModel'], this.#models(stack, ai.model));
    for (const asker of askers) {
      grantInvoke(asker, this.function);
      asker.expect('AI_FUNCTION', this.function.functionName);
    }
  }

  #models(stack: Stack, model: string): string[] {
    const resource = 'foundation-model';
    if (!PROFILE.test(model)) {
      return [stack.formatArn({ service: 'bedrock', account: '', resource, resourceName: model })];
    }
    return [
      stack.formatArn({ service: 'bedrock', resource: 'inference-profile', resourceName: model }),
      stack.formatArn({
        service: 'bedrock',
        account: '',
        region: '*',
        resource,
        resourceName: withoutProfile(model),
      }),
    ];
  }
}
