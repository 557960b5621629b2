import type { AccessRequest } from '../core/access/authorizer.ts';
import { type ConditionElement, compileConditions, type RequestContext } from './conditions.ts';
import { actionPattern, type Matcher, resourcePattern } from './pattern.ts';

/** An action and a resource of a statement, as written in the policy: the smallest part that can be removed. */
export interface Grant {
  action: string;
  resource: string;
}

export interface Statement {
  sid?: string;
  effect: 'Allow' | 'Deny';
  /** As in the document. */
  text: string;
  /** Absent in identity-based policies. */
  principals?: Principals;
  matchesAction: Matcher;
  /** Whether the statement applies to a request whose action it matches. */
  applies(request: AccessRequest, context: RequestContext): boolean;
  /** The grants of the statement that cover a request; the statement applies to it. */
  grantsFor(request: AccessRequest, context: RequestContext): Grant[];
  grants: Grant[];
}

export interface Principals {
  /** `Principal: "*"`. */
  everyone: boolean;
  /** ARNs and account ids. */
  aws: string[];
  services: string[];
  negated: boolean;
}

interface RawStatement {
  Sid?: string;
  Effect: 'Allow' | 'Deny';
  Principal?: '*' | Record<string, string | string[]>;
  NotPrincipal?: '*' | Record<string, string | string[]>;
  Action?: string | string[];
  NotAction?: string | string[];
  Resource?: string | string[];
  NotResource?: string | string[];
  Condition?: ConditionElement;
}

const MEMBERS = [
  'Sid',
  'Effect',
  'Principal',
  'NotPrincipal',
  'Action',
  'NotAction',
  'Resource',
  'NotResource',
  'Condition',
];

/** Compiles a policy document. Throws an error that names an element that is unknown or malformed. */
export function compilePolicy(document: unknown): Statement[] {
  const { Statement } = (document ?? {}) as { Statement?: RawStatement | RawStatement[] };
  if (Statement === undefined) throw new Error('a policy document without Statement');
  return [Statement].flat().map(compileStatement);
}

function compileStatement(raw: RawStatement): Statement {
  const unknown = Object.keys(raw).find((member) => !MEMBERS.includes(member));
  if (unknown !== undefined) throw new Error(`the policy element ${unknown}`);
  if (raw.Effect !== 'Allow' && raw.Effect !== 'Deny') throw new Error(`the policy effect ${String(raw.Effect)}`);
  const actions = patterns(raw.Action, raw.NotAction, actionPattern);
  // A trust policy has no resource: it is the policy of the role.
  const resources = patterns(raw.Resource ?? (raw.NotResource ? undefined : '*'), raw.NotResource, resourceMatcher);
  const holds = raw.Condition && compileConditions(raw.Condition);
  const principal = raw.Principal ?? raw.NotPrincipal;
  return {
    ...(raw.Sid !== undefined && raw.Sid !== '' && { sid: raw.Sid }),
    effect: raw.Effect,
    text: JSON.stringify(raw),
    ...(principal !== undefined && { principals: principalsOf(principal, raw.NotPrincipal !== undefined) }),
    matchesAction: actions.matches,
    applies: (request, context) => resources.matches(request.resource, context) && (holds?.(context) ?? true),
    grantsFor: (request, context) =>
      actions
        .covering(request.action, context)
        .flatMap((action) => resources.covering(request.resource, context).map((resource) => ({ action, resource }))),
    grants: actions.texts.flatMap((action) => resources.texts.map((resource) => ({ action, resource }))),
  };
}

type ContextMatcher = (text: string, context: RequestContext) => boolean;

interface Patterns {
  texts: string[];
  matches(text: string, context?: RequestContext): boolean;
  /** The patterns that match; a negated list is one pattern. */
  covering(text: string, context: RequestContext): string[];
}

function patterns(
  positive: string | string[] | undefined,
  negative: string | string[] | undefined,
  compile: (pattern: string) => ContextMatcher,
): Patterns {
  const list = [positive ?? negative ?? []].flat();
  if (list.length === 0) throw new Error('a statement without action or resource');
  const compiled = list.map((pattern) => ({ pattern, matches: compile(pattern) }));
  const any: ContextMatcher = (text, context) => compiled.some(({ matches }) => matches(text, context));
  if (positive === undefined) {
    const texts = [`not ${list.join(', ')}`];
    return { texts, matches: (text, context = {}) => !any(text, context), covering: () => texts };
  }
  return {
    texts: list,
    matches: (text, context = {}) => any(text, context),
    covering: (text, context) => compiled.filter(({ matches }) => matches(text, context)).map(({ pattern }) => pattern),
  };
}

/** A resource may contain variables of the request, such as `${aws:PrincipalAccount}`. */
function resourceMatcher(pattern: string): ContextMatcher {
  if (!pattern.includes('${')) return resourcePattern(pattern);
  return (resource, context) => {
    let known = true;
    const resolved = pattern.replaceAll(/\$\{([^}]+)\}/g, (_whole, key: string) => {
      const value = context[key.toLowerCase()];
      if (typeof value !== 'string') known = false;
      return String(value);
    });
    return known && resourcePattern(resolved)(resource);
  };
}

function principalsOf(principal: '*' | Record<string, string | string[]>, negated: boolean): Principals {
  const named = principal === '*' ? { AWS: '*' } : principal;
  for (const kind of Object.keys(named)) {
    if (kind !== 'AWS' && kind !== 'Service') throw new Error(`principals of the kind ${kind}`);
  }
  const aws = [named.AWS ?? []].flat();
  return { everyone: aws.includes('*'), aws, services: [named.Service ?? []].flat(), negated };
}
