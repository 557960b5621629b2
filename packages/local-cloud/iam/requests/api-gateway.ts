import type { Requirements } from '../../core/access/authorizer.ts';
import { ANY } from './place.ts';

/** The management API is authorized by HTTP method; its resources are not distinguished here. */
const METHODS: readonly (readonly [prefix: string, method: string])[] = [
  ['Create', 'POST'],
  ['Update', 'PATCH'],
  ['Delete', 'DELETE'],
  ['Put', 'PUT'],
];

export const apiGatewayRequests: Requirements = (operation) => {
  const method = METHODS.find(([prefix]) => operation.startsWith(prefix))?.[1] ?? 'GET';
  return [{ action: `apigateway:${method}`, resource: ANY }];
};
