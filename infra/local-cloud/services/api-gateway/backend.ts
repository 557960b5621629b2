import { AwsError } from '../../core/aws-error.ts';
import type { LambdaPort } from '../../core/ports.ts';
import type { CloudContext } from '../../core/service.ts';
import type { Exchange } from './exchange.ts';

export interface Backend {
  context: CloudContext;
  lambda: LambdaPort;
}

/** Answers for a function that could not be called: it does not exist, is throttled, or Lambda failed. */
export function failedCall(exchange: Exchange, error: unknown, context: CloudContext): void {
  context.log(`API Gateway ${exchange.httpMethod} ${exchange.fullPath}: ${String(error)}`);
  const throughLambda = error instanceof AwsError && error.status === 502;
  exchange.stage.responses.send(exchange, throughLambda ? 'DEFAULT_5XX' : 'API_CONFIGURATION_ERROR');
}
