import type { Static } from 'typebox';
import * as Type from 'typebox';

const MessageId = Type.Union([Type.String({ maxLength: 255 }), Type.Integer()], {
  description: 'The id of a request, which its answer repeats; absent from notifications.',
});

export const McpMessage = Type.Object(
  {
    jsonrpc: Type.Literal('2.0'),
    id: Type.Optional(MessageId),
    method: Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'Such as `initialize`, `tools/list` or `tools/call`.',
    }),
    params: Type.Optional(
      Type.Record(Type.String({ maxLength: 255 }), Type.Unknown(), {
        maxProperties: 100,
        description: 'The parameters of the method; for `tools/call` the name of the tool and its arguments.',
      }),
    ),
  },
  { $id: 'McpMessage', description: 'A message of the Model Context Protocol: a request or a notification.' },
);
export type McpMessage = Static<typeof McpMessage>;

export const McpAnswer = Type.Object(
  {
    jsonrpc: Type.Literal('2.0'),
    id: Type.Optional(MessageId),
    result: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'The result of the method. An error of a tool is a result with `isError`.',
      }),
    ),
    error: Type.Optional(
      Type.Object(
        { code: Type.Integer(), message: Type.String(), data: Type.Optional(Type.Unknown()) },
        { $id: 'McpError', description: 'An error of the protocol, such as an unknown method or tool.' },
      ),
    ),
  },
  { $id: 'McpAnswer', description: 'The answer to a request of the Model Context Protocol.' },
);
