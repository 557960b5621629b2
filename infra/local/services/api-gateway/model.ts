/** A REST API as its parts are stored. Ids are given by the caller and are unique within their API. */
export interface RestApi {
  id: string;
  name: string;
  rootResourceId: string;
  /** Content types whose bodies are passed as base64, such as `image/*`. */
  binaryMediaTypes: string[];
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
      /** Whether the answer is passed on as it is made. */
      streaming: boolean;
      timeoutMs: number;
    }
  | { type: 'MOCK'; statusCode: number; headers: Record<string, string> };

export interface Method {
  resourceId: string;
  /** `GET`, …, or `ANY`. */
  httpMethod: string;
  integration: Integration;
}

export interface GatewayResponse {
  responseType: string;
  statusCode?: number;
  headers: Record<string, string>;
  /** By content type, with `$context` variables. */
  templates: Record<string, string>;
}

/** What a deployment froze: later changes of the API reach a stage with the next deployment only. */
export interface Snapshot {
  api: RestApi;
  resources: Resource[];
  methods: Method[];
  responses: GatewayResponse[];
}

export interface Deployment {
  id: string;
  snapshot: Snapshot;
}

export interface Stage {
  name: string;
  deploymentId: string;
  variables: Record<string, string>;
  accessLog?: { logGroup: string; format: string };
}
