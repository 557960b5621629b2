/**
 * A REST API as its parts are stored. The caller chooses ids, which are unique within their API; the control plane adds
 * timestamps.
 */
export interface RestApi {
  id: string;
  name: string;
  rootResourceId: string;
  description?: string;
  endpointType?: 'REGIONAL' | 'EDGE';
  /** Content types whose bodies are passed as base64, such as `image/*`. */
  binaryMediaTypes: string[];
  /** Replies of at least this many bytes are compressed for clients that accept it; none if absent. */
  minimumCompressionSize?: number;
  /** Epoch milliseconds. */
  createdAt?: number;
}

export interface Resource {
  id: string;
  parentId: string;
  /** `pipelines`, `{id}` or `{proxy+}`. */
  pathPart: string;
}

export type Integration =
  | {
      type: 'AWS_PROXY';
      functionName: string;
      /** Whether the answer is streamed to the client. */
      streaming: boolean;
      timeoutMs: number;
    }
  | { type: 'MOCK'; statusCode: number; headers: Record<string, string> };

export interface Method {
  resourceId: string;
  /** `GET`, …, or `ANY`. */
  httpMethod: string;
  /** A method without an integration cannot be deployed. */
  integration?: Integration;
}

export interface GatewayResponse {
  responseType: string;
  statusCode?: number;
  headers: Record<string, string>;
  /** By content type, with `$context` variables. */
  templates: Record<string, string>;
}

/** What an imported OpenAPI document declares. */
export interface ApiDefinition {
  description?: string;
  binaryMediaTypes: string[];
  minimumCompressionSize?: number;
  responses: GatewayResponse[];
  methods: { path: string; httpMethod: string; integration: Integration }[];
}

/** The snapshot of a deployment: later changes of the API reach a stage only with the next deployment. */
export interface Snapshot {
  api: RestApi;
  resources: Resource[];
  methods: (Method & { integration: Integration })[];
  responses: GatewayResponse[];
}

export interface Deployment {
  id: string;
  snapshot: Snapshot;
  description?: string;
  /** Epoch milliseconds. */
  createdAt?: number;
}

export interface Stage {
  name: string;
  deploymentId: string;
  description?: string;
  variables: Record<string, string>;
  /** Epoch milliseconds. */
  createdAt?: number;
  updatedAt?: number;
  accessLog?: { logGroup: string; format: string };
}
