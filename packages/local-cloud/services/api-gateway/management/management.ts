import { randomBytes } from 'node:crypto';
import { accessCheck } from '../../../core/access/authorizer.ts';
import { RestJson } from '../../../core/rest-json.ts';
import type { CloudContext } from '../../../core/service.ts';
import { apiGatewayRequests } from '../../../iam/requests/api-gateway.ts';
import type { ApiGatewayControl } from '../control.ts';
import { faultErrors, restErrors } from '../errors.ts';
import { apiRoutes } from './apis.ts';
import { deploymentRoutes } from './deployments.ts';
import type { ManagementDeps } from './deps.ts';
import { methodRoutes } from './methods.ts';
import { resourceRoutes } from './resources.ts';
import { stageRoutes } from './stages.ts';

/**
 * API Gateway's management API for REST APIs, as far as the gateway supports them; anything else is rejected by name.
 */
export function managementApi(context: CloudContext, control: ApiGatewayControl): RestJson {
  const deps: ManagementDeps = { context, control, newId };
  return new RestJson({
    name: 'apigateway',
    routes: [
      ...apiRoutes(deps),
      ...resourceRoutes(deps),
      ...methodRoutes(deps),
      ...deploymentRoutes(deps),
      ...stageRoutes(deps),
    ],
    query: { limit: { member: 'limit', type: 'number' }, embed: { member: 'embed', type: 'list' } },
    errors: restErrors,
    checkAccess: accessCheck(context, apiGatewayRequests, 403),
    faults: { context, errors: faultErrors },
  });
}

function newId(length: number): string {
  return BigInt(`0x${randomBytes(16).toString('hex')}`)
    .toString(36)
    .padStart(length, '0')
    .slice(-length);
}
