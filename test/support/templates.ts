import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { GROUPS } from '../../functions/api.ts';
import type { Group } from '../../functions/group.ts';
import { settings } from '../../infra/settings.ts';
import { defineApp } from '../../infra/synth.ts';
import { bundlesBuilt } from './setup/ask.ts';

export interface Resource {
  Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: properties of every resource type
  Properties: any;
  DeletionPolicy?: string;
  UpdateReplacePolicy?: string;
}

/** The stacks as they would be deployed to AWS, synthesized once. */
export async function synthesizedTemplates(environment: NodeJS.ProcessEnv = {}, groups: readonly Group[] = GROUPS) {
  await bundlesBuilt();
  const context = JSON.parse(readFileSync(join(import.meta.dirname, '../../cdk.json'), 'utf8')).context;
  const app = new App({ context, analyticsReporting: false });
  defineApp(app, settings(environment), groups);
  const stacks = app.node.children.filter((child) => 'templateOptions' in child);
  const templates = new Map(stacks.map((stack) => [stack.node.id, Template.fromStack(stack as never)]));
  const of = (name: string): Record<string, Resource> => templates.get(`Analytics${name}`)?.toJSON().Resources ?? {};
  return { data: of('Data'), runtime: of('Runtime'), observability: of('Observability'), capture: of('Capture') };
}

export function ofType(resources: Record<string, Resource>, type: string): [string, Resource][] {
  return Object.entries(resources).filter(([, resource]) => resource.Type === type);
}

/** Every option of a deployment at once. */
export const EVERY_OPTION: NodeJS.ProcessEnv = {
  LAMBDA_ARCHITECTURE: 'x86_64',
  AI_PROVIDER: 'amazon-bedrock',
  AI_MODEL: 'eu.maker.model-v1:0',
  STREAMING_CAPTURE: 'on',
  STEP_CONTAINERS: 'on',
  ATHENA: 'on',
  ATHENA_FROM_MB: '512',
};

/** Logical ids that stand anywhere in a value. */
export function references(value: unknown): string[] {
  return [...JSON.stringify(value).matchAll(/"(?:Ref|Fn::GetAtt)":\s*\[?"([^"]+)"/g)].map((match) => match[1]!);
}

export interface Statement {
  /** The logical id of the policy. */
  id: string;
  /** The logical ids of the roles that have it. */
  roles: string[];
  actions: string[];
  resource: unknown;
}

/** Every statement of the policies of a stack. */
export function statements(resources: Record<string, Resource>): Statement[] {
  return ofType(resources, 'AWS::IAM::Policy').flatMap(([id, { Properties }]) =>
    (Properties.PolicyDocument.Statement as { Action: string | string[]; Resource: unknown }[]).map((statement) => ({
      id,
      roles: references(Properties.Roles),
      actions: [statement.Action].flat(),
      resource: statement.Resource,
    })),
  );
}

/**
 * What a role may do, as `action place` in order. A place is a resource without what all deployments have in common, such as
 * `<Table>/index/byDue` or `parameter/analytics/ai-key`.
 */
export function rightsOf(resources: Record<string, Resource>, role: string): string[] {
  const rights = statements(resources)
    .filter(({ roles }) => roles.includes(role))
    .flatMap(({ actions, resource }) =>
      [resource].flat().flatMap((each) => actions.map((action) => `${action} ${placeOf(each)}`)),
    );
  return [...new Set(rights)].sort();
}

function placeOf(resource: unknown): string {
  return textOf(resource).replace(/^arn:.*:(?=(parameter|stateMachine|inference-profile|foundation-model)\b)/, '');
}

/** A value of a template as text, with names for what it refers to. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const [[kind, inner] = ['', '']] = Object.entries(value as object);
  if (kind === 'Fn::Join') return (inner[1] as unknown[]).map(textOf).join(inner[0]);
  if (kind === 'Fn::GetStackOutput')
    return `<${/FnGetAtt(\w+?)[0-9A-F]{8}(Stream)?/.exec(inner.OutputName)!.slice(1).join('')}>`;
  return `<${[inner].flat()[0].replace(/[0-9A-F]{8}$/, '')}>`;
}
