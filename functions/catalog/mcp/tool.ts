import type { Operations } from '../common/operations.ts';

/** JSON Schema of the arguments of a tool. */
export interface ArgumentsSchema {
  type: 'object';
  properties: Readonly<Record<string, object>>;
  required?: readonly string[];
}

/** A picture in a result. */
export interface ToolPicture {
  mimeType: string;
  /** In base64. */
  data: string;
}

export interface ToolResult {
  /** What the agent reads, as JSON. */
  value: Readonly<Record<string, unknown>>;
  picture?: ToolPicture;
}

/** The arguments of a call, whose members are those of the schema and have its types. */
// biome-ignore lint/suspicious/noExplicitAny: the schema of the tool has been checked
export type Arguments = Readonly<Record<string, any>>;

/** Something that an agent can do. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  input: ArgumentsSchema;
  run(args: Arguments, operations: Operations): Promise<ToolResult>;
}
