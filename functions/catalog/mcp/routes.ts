import { defineRoute } from '../../../shared/platform/http/route.ts';
import { McpAnswer, McpMessage } from './schemas.ts';

export const callMcp = defineRoute({
  operationId: 'callMcp',
  method: 'POST',
  path: '/api/mcp',
  summary: 'Run tools for an agent',
  description:
    'The endpoint of the Model Context Protocol (Streamable HTTP without sessions, replies in JSON). Its tools only read, with the rights of the caller. A notification gets 202 without a body.',
  permission: 'agents:use',
  // A key that is limited to objects reaches them through the operations that the tools call.
  reachesByOperations: true,
  body: McpMessage,
  success: { status: 200, contentTypes: ['application/json'], body: McpAnswer },
});
