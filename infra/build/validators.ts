import { Ajv2020 } from 'ajv/dist/2020.js';
import standaloneCode from 'ajv/dist/standalone/index.js';
import addFormats from 'ajv-formats';
import type { TSchema } from 'typebox';
import type { Route } from '../../shared/platform/http/route.ts';
import { compactValidators } from './compact-validators.ts';
import { sharedParts } from './shared-parts.ts';

/**
 * The source of the module `virtual:validators` for one group: a compiled function per schema, so that a function
 * compiles none during a cold start. Path parameters and query values are converted from text; bodies are not.
 */
export function validatorsModule(routes: readonly Route[]): string {
  const parts: string[] = [];
  const entries: string[] = [];
  const emit = (kind: 'text' | 'body', schemas: Map<string, TSchema>) => {
    if (schemas.size === 0) return;
    const ajv = new Ajv2020({
      allErrors: true,
      coerceTypes: kind === 'text',
      useDefaults: true,
      discriminator: true,
      strict: false,
      inlineRefs: false,
      messages: false,
      code: { source: true, esm: true, lines: false },
    });
    (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
    const { whole, parts: repeated } = sharedParts(
      new Map([...schemas].map(([name, all]) => [name, withoutDocumentation(all)])),
    );
    for (const [name, schema] of [...repeated, ...whole]) ajv.addSchema(schema, name);
    // Only ajv's own schemas, which have now checked ours, use the keywords that these serve in every function.
    Object.assign(ajv.opts, { unevaluated: false, dynamicRef: false });
    const exports = Object.fromEntries([...schemas.keys()].map((name) => [name, name]));
    const code = (standaloneCode as unknown as (ajv: Ajv2020, refs: Record<string, string>) => string)(ajv, exports);
    // Each generated module is wrapped in a function, because two of them declare the same helper names.
    const body = compactValidators(code)
      .replace('"use strict";', '')
      .replaceAll(/export const (\w+) = (\w+);/g, 'exported.$1 = $2;');
    parts.push(`const ${kind} = (() => { const exported = {}; ${body}; return exported; })();`);
  };

  const text = new Map<string, TSchema>();
  const bodies = new Map<string, TSchema>();
  for (const route of routes) {
    const members: string[] = [];
    if (route.params) {
      text.set(`${route.operationId}_params`, route.params);
      members.push(`params: text.${route.operationId}_params`);
    }
    if (route.query) {
      text.set(`${route.operationId}_query`, route.query);
      members.push(`query: text.${route.operationId}_query`);
    }
    if (route.body) {
      bodies.set(`${route.operationId}_body`, route.body);
      members.push(`body: body.${route.operationId}_body`);
    }
    entries.push(`${route.operationId}: { ${members.join(', ')} }`);
  }
  emit('text', text);
  emit('body', bodies);
  return `${parts.join('\n')}\nexport const validators = { ${entries.join(', ')} };\n`;
}

/**
 * Removes names and descriptions, which only the OpenAPI document needs. For the validator, two uses of one `$id` would
 * conflict.
 */
export function withoutDocumentation<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(withoutDocumentation) as T;
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([name, value]) => !((name === '$id' || name === 'description') && typeof value === 'string'))
      .map(([name, value]) => [name, withoutDocumentation(value)]),
  ) as T;
}
