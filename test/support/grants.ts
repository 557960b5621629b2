/** What `GET /_local/access` of a local cloud answers. */
export interface AccessReport {
  grants: Grant[];
  denials: { principal: string; action: string; resource: string; reason: string }[];
}

interface Grant {
  policy: string;
  statement: number;
  action: string;
  resource: string;
  neededBy?: { principal: string; action: string; resource: string };
}

interface Explanation {
  policy?: RegExp;
  action: RegExp;
  resource?: RegExp;
  because: string;
}

/** Grants that no call of the tests can need, and why the stacks have them. */
const EXPLANATIONS: readonly Explanation[] = [
  { action: /^xray:/, because: 'the X-Ray daemon of Lambda sends traces, and exists on AWS alone' },
  { action: /^ecr:/, because: 'ECS pulls images from a registry; the local cloud runs their build folder' },
];

interface Coverage {
  figures: string;
  /** Grants without a call and without an explanation. */
  unexplained: string[];
  /** Explanations of grants that a call needed, or that no longer exist. */
  stale: string[];
}

/** Compares the grants of all deployments with the calls that needed them. */
export function coverageOf(reports: readonly AccessReport[]): Coverage {
  const grants = new Map<string, Grant>();
  for (const grant of reports.flatMap((report) => report.grants)) {
    const known = grants.get(textOf(grant));
    if (!known?.neededBy) grants.set(textOf(grant), grant);
  }
  const all = [...grants.values()];
  const needed = all.filter(({ neededBy }) => neededBy);
  const rest = all.filter(({ neededBy }) => !neededBy);
  const explained = rest.filter((grant) => EXPLANATIONS.some((each) => covers(each, grant)));
  const statements = new Set(all.map(({ policy, statement }) => `${policy} ${statement}`));
  return {
    figures: `${statements.size} statements with ${all.length} grants: ${needed.length} needed by a call, ${explained.length} explained, ${rest.length - explained.length} neither`,
    unexplained: rest.filter((grant) => !explained.includes(grant)).map(textOf),
    stale: EXPLANATIONS.filter((each) => !rest.some((grant) => covers(each, grant))).map(({ because }) => because),
  };
}

function covers({ policy, action, resource }: Explanation, grant: Grant): boolean {
  return action.test(grant.action) && (policy?.test(grant.policy) ?? true) && (resource?.test(grant.resource) ?? true);
}

function textOf({ policy, statement, action, resource }: Grant): string {
  return `${policy} #${statement}: ${action} on ${resource}`;
}
