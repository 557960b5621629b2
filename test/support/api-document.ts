import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { GROUPS } from '../../functions/api.ts';
import { openApiDocument } from '../../infra/build/openapi/document.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into every part of the document
type Json = any;

/** The OpenAPI document of the code under test, as the build writes it. */
export const DOCUMENT: Json = JSON.parse(JSON.stringify(openApiDocument(GROUPS)));

/** Every operation of the document by its id. */
export const OPERATIONS: ReadonlyMap<string, Json> = new Map(
  Object.values<Json>(DOCUMENT.paths)
    .flatMap((path) => Object.values<Json>(path))
    .map((operation) => [operation.operationId, operation]),
);

/** What is wrong with a request body that the server has accepted, by the document; empty when nothing is. */
export function requestIssues(operationId: string, body: unknown): string {
  const [content] = Object.values<Json>(OPERATIONS.get(operationId).requestBody.content);
  return issuesIn(content!.schema, body);
}

/** What is wrong with the body of a reply, or a line of it, by the document; empty when nothing is. */
export function replyIssues(operationId: string, status: number, body: unknown): string {
  const { content } = OPERATIONS.get(operationId).responses[status];
  const { schema } = content['application/json'] ?? content['application/scim+json'] ?? content['application/x-ndjson'];
  return issuesIn(schema, body);
}

/** The same for an error in the form of SCIM. */
export const scimErrorIssues = (body: unknown): string => issuesIn({ $ref: '#/components/schemas/ScimError' }, body);

const PROBLEM = { $ref: '#/components/schemas/Problem' };

/** What is wrong with a problem document, by the document; empty when nothing is. */
export const problemIssues = (body: unknown): string => issuesIn(PROBLEM, body);

/** What is wrong with a value by a schema of the document, in words; empty when nothing is. */
export function issuesIn(schema: object, value: unknown): string {
  let validate = compiled.get(schema);
  if (!validate) {
    validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as object);
    compiled.set(schema, validate);
  }
  return validate(value) ? '' : ajv.errorsText(validate.errors);
}

// Most validators see a few values only, so that optimizing their code costs more than it saves. A component is
// compiled once, not into each schema that refers to it.
const ajv = new Ajv2020({ strict: false, allErrors: true, inlineRefs: false, code: { optimize: false } });
(addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
ajv.addSchema({ $id: 'document', components: DOCUMENT.components });
const compiled = new Map<object, ValidateFunction>();
