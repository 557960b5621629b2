import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { LambdaPort } from '../../core/ports.ts';
import { refuseRest } from '../../core/rest-json.ts';
import type { CloudContext, LocalService } from '../../core/service.ts';
import type { LogSink } from './access-log.ts';
import { ApiGatewayControl } from './control.ts';
import { restErrors } from './errors.ts';
import { openExchange } from './exchange.ts';
import { runIntegration } from './integrations.ts';
import { managementApi } from './management/management.ts';
import { compileStages } from './stages.ts';
import { GatewayStore } from './store.ts';

/** `handle` serves the management API, `serve` the deployed APIs. */
export interface ApiGateway extends LocalService {
  readonly control: ApiGatewayControl;
  /** Answers a request to a stage; the first segment of its path names the stage, as in AWS's default address. */
  serve(message: IncomingMessage, response: ServerResponse): void;
}

/** REST APIs of API Gateway with Lambda proxy integrations, served on the local cloud's port. */
export function createApiGateway(context: CloudContext, ports: { lambda: LambdaPort; logs: LogSink }): ApiGateway {
  const store = new GatewayStore(join(context.dataDir, 'api-gateway.sqlite'));
  let stages = compileStages(store, ports.logs);
  const control = new ApiGatewayControl(store, context.clock, () => {
    stages = compileStages(store, ports.logs);
  });
  const management = managementApi(context, control);
  const backend = { context, lambda: ports.lambda };

  return {
    signingName: 'apigateway',
    refuse: refuseRest(restErrors),
    control,
    handle: (request, response) => management.answer(request, response),

    serve(message, response) {
      const { stageName, ...target } = parseTarget(message.url ?? '/');
      const stage = stages.get(stageName);
      if (!stage) {
        forbid(response);
        return;
      }
      const exchange = openExchange(stage, target, message, response, context.clock);
      if (stage.logAccess) response.once('close', () => stage.logAccess?.(exchange, context.clock.now()));
      exchange.match = stage.routes.match(exchange.httpMethod, exchange.path);
      if (!exchange.match) {
        message.resume();
        stage.responses.send(exchange, 'MISSING_AUTHENTICATION_TOKEN');
        return;
      }
      runIntegration(exchange, exchange.match, backend).catch((error: unknown) => {
        // A client that disconnected while sending its body gets no answer, and nothing is logged.
        if (message.destroyed && !message.complete) return;
        context.log(`API Gateway ${exchange.httpMethod} ${exchange.fullPath}: ${String(error)}`);
        if (response.headersSent) response.destroy();
        else stage.responses.send(exchange, 'API_CONFIGURATION_ERROR');
      });
    },

    async close() {
      store.close();
    },
  };
}

/** `/api/pipelines?x=1` → stage `api`, path `/pipelines`, query `x=1`; several slashes at the start count as one. */
function parseTarget(url: string): { stageName: string; fullPath: string; path: string; query: string } {
  const question = url.indexOf('?');
  const whole = question < 0 ? url : url.slice(0, question);
  const fullPath = `/${whole.replace(/^\/+/, '')}`;
  const slash = fullPath.indexOf('/', 1);
  return {
    stageName: slash < 0 ? fullPath.slice(1) : fullPath.slice(1, slash),
    fullPath,
    path: slash < 0 ? '/' : fullPath.slice(slash),
    query: question < 0 ? '' : url.slice(question + 1),
  };
}

/** The answer of an address without a stage. */
function forbid(response: ServerResponse): void {
  const body = '{"message":"Forbidden"}';
  response.writeHead(403, {
    'content-type': 'application/json',
    'content-length': body.length,
    'x-amzn-ErrorType': 'ForbiddenException',
  });
  response.end(body);
}
