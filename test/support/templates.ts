import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { build } from '../../infra/build/index.ts';
import { settings } from '../../infra/settings.ts';
import { defineApp } from '../../infra/synth.ts';

export interface Resource {
  Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: properties of every resource type
  Properties: any;
  DeletionPolicy?: string;
  UpdateReplacePolicy?: string;
}

/** The stacks as they would be deployed to AWS, synthesized once. */
export async function synthesizedTemplates(environment: NodeJS.ProcessEnv = {}) {
  await build();
  const context = JSON.parse(readFileSync(join(import.meta.dirname, '../../cdk.json'), 'utf8')).context;
  const app = new App({ context, analyticsReporting: false });
  defineApp(app, settings(environment));
  const stacks = app.node.children.filter((child) => 'templateOptions' in child);
  const templates = new Map(stacks.map((stack) => [stack.node.id, Template.fromStack(stack as never)]));
  const of = (name: string): Record<string, Resource> => templates.get(`Analytics${name}`)?.toJSON().Resources ?? {};
  return { data: of('Data'), runtime: of('Runtime'), observability: of('Observability'), capture: of('Capture') };
}

export function ofType(resources: Record<string, Resource>, type: string): [string, Resource][] {
  return Object.entries(resources).filter(([, resource]) => resource.Type === type);
}
