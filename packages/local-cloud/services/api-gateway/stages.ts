import { compileAccessLog, type LogSink } from './access-log.ts';
import type { CompiledStage } from './exchange.ts';
import { GatewayResponses } from './gateway-responses.ts';
import { mediaTypeMatcher } from './media-types.ts';
import { RouteTree } from './routes.ts';
import type { GatewayStore } from './store.ts';

/** All stages by name, as deployed. */
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
