import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Group } from '../../functions/group.ts';
import { settings } from '../../infra/settings.ts';
import { EVERY_OPTION } from './every-option.ts';
import { bundlesBuilt, synthesizedAssembly } from './setup/ask.ts';

export interface Resource {
  Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: properties of every resource type
  Properties: any;
  DeletionPolicy?: string;
  UpdateReplacePolicy?: string;
}

export interface Stacks {
  data: Record<string, Resource>;
  runtime: Record<string, Resource>;
  observability: Record<string, Resource>;
  capture: Record<string, Resource>;
}

/**
 * The stacks as they are deployed to AWS, after all checks of the CDK; each of the two is synthesized once for all
 * tests.
 */
export async function deployedStacks(options: 'usual' | 'every'): Promise<Stacks> {
  const folder = await synthesizedAssembly(options);
  return stacksOf((stack) => {
    const file = join(folder, `${stack}.template.json`);
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  });
}

/** The stacks with every option and further groups, without the checks of CloudFormation. */
export async function stacksWith(groups: readonly Group[]): Promise<Stacks> {
  await bundlesBuilt();
  // Loading the CDK takes seconds, which most tests of templates need not.
  const [{ defineApp }, { unstagedApp }] = await Promise.all([
    import('../../infra/synth.ts'),
    import('./setup/unstaged-app.ts'),
  ]);
  const app = defineApp(unstagedApp({ builtinCloudFormationValidation: false }), settings(EVERY_OPTION), groups);
  const assembly = app.synth();
  return stacksOf((name) => assembly.stacks.find((stack) => stack.stackName === name)?.template);
}

function stacksOf(templateOf: (name: string) => { Resources: Record<string, Resource> } | undefined): Stacks {
  const resources = (name: string) => templateOf(`Analytics${name}`)?.Resources ?? {};
  return {
    data: resources('Data'),
    runtime: resources('Runtime'),
    observability: resources('Observability'),
    capture: resources('Capture'),
  };
}

export function ofType(resources: Record<string, Resource>, type: string): [string, Resource][] {
  return Object.entries(resources).filter(([, resource]) => resource.Type === type);
}

/** Logical ids that stand anywhere in a value. */
export function references(value: unknown): string[] {
  return [...JSON.stringify(value).matchAll(/"(?:Ref|Fn::GetAtt)":\s*\[?"([^"]+)"/g)].map((match) => match[1]!);
}

export interface Statement {
  /** The logical id of the policy, or of the role that contains it. */
  id: string;
  /** The logical ids of the roles that have it. */
  roles: string[];
  actions: string[];
  resource: unknown;
}

/** Every statement of the policies of a stack, which stand alone or in a role. */
export function statements(resources: Record<string, Resource>): Statement[] {
  const alone = ofType(resources, 'AWS::IAM::Policy').map(([id, { Properties }]) => ({
    id,
    roles: references(Properties.Roles),
    document: Properties.PolicyDocument,
  }));
  const inRoles = ofType(resources, 'AWS::IAM::Role').flatMap(([id, { Properties }]) =>
    (Properties.Policies ?? []).map(({ PolicyDocument: document }: { PolicyDocument: object }) => ({
      id,
      roles: [id],
      document,
    })),
  );
  return [...alone, ...inRoles].flatMap(({ id, roles, document }) =>
    (document.Statement as { Action: string | string[]; Resource: unknown }[]).map((statement) => ({
      id,
      roles,
      actions: [statement.Action].flat(),
      resource: statement.Resource,
    })),
  );
}

/**
 * What a role may do, as `action place` in order. A place is a resource without what all deployments have in common,
 * such as `<Table>/index/byDue` or `parameter/analytics/ai-key`.
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
  return textOf(resource).replace(
    /^arn:.*:(?=(parameter|identity|stateMachine|inference-profile|foundation-model)\b)/,
    '',
  );
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
