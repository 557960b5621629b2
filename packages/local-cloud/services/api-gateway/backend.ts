import type { Principal } from '../../core/access/principal.ts';
import { AwsError } from '../../core/aws-error.ts';
import type { LambdaPort } from '../../core/ports.ts';
import type { CloudContext } from '../../core/service.ts';
import type { Exchange } from './exchange.ts';

export interface Backend {
  context: CloudContext;
  lambda: LambdaPort;
}

/** API Gateway calls a function on behalf of the method, whose ARN the function's permission names. */
export function callerOf({ stage, match, httpMethod }: Exchange, { region, accountId }: CloudContext): Principal {
  const method = `${stage.api.id}/${stage.stage.name}/${httpMethod}${match?.resourcePath ?? '/'}`;
  const sourceArn = `arn:aws:execute-api:${region}:${accountId}:${method}`;
  return { type: 'service', service: 'apigateway.amazonaws.com', sourceArn };
}

/** Answers for a function that could not be called: it does not exist, is throttled, or Lambda failed. */
export function failedCall(exchange: Exchange, error: unknown, context: CloudContext): void {
  context.log(`API Gateway ${exchange.httpMethod} ${exchange.fullPath}: ${String(error)}`);
  const throughLambda = error instanceof AwsError && error.status === 502;
  exchange.stage.responses.send(exchange, throughLambda ? 'DEFAULT_5XX' : 'API_CONFIGURATION_ERROR');
}
