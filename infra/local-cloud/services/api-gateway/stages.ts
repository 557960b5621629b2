import { compileAccessLog, type LogSink } from './access-log.ts';
import { GatewayResponses } from './gateway-responses.ts';
import { mediaTypeMatcher } from './media-types.ts';
import type { RestApi, Stage } from './model.ts';
import { RouteTree } from './routes.ts';
import type { GatewayStore } from './store.ts';

/** A stage with everything prepared that does not depend on the request. */
export interface CompiledStage {
  readonly api: RestApi;
  readonly stage: Stage;
  readonly routes: RouteTree;
  readonly responses: GatewayResponses;
  readonly isBinary: (contentType: string | undefined) => boolean;
  /** Writes the access log's line for a finished exchange. */
  readonly logAccess: ReturnType<typeof compileAccessLog> | undefined;
}

/** All stages by name, as their deployments froze them. */
export function compileStages(store: GatewayStore, logs: LogSink): Map<string, CompiledStage> {
  const stages = new Map<string, CompiledStage>();
  for (const { id } of store.apis()) {
    for (const stage of store.list(id, 'stage')) {
      const snapshot = store.get(id, 'deployment', stage.deploymentId)?.snapshot;
      if (!snapshot) continue;
      stages.set(stage.name, {
        api: snapshot.api,
        stage,
        routes: new RouteTree(snapshot),
        responses: new GatewayResponses(snapshot.responses),
        isBinary: mediaTypeMatcher(snapshot.api.binaryMediaTypes),
        logAccess: stage.accessLog && compileAccessLog(stage.accessLog, logs),
      });
    }
  }
  return stages;
}
