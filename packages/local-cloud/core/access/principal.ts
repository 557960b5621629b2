/** The caller of an operation, as policies name it. */
export type Principal =
  /** The account itself: the developer's credentials, and the local cloud's own deployments. Everything is allowed. */
  | { readonly type: 'root'; readonly arn: string }
  /** A session of a role: a function, a task, a state machine, a schedule or a rule of the deployment. */
  | { readonly type: 'role'; readonly roleArn: string; readonly sessionName: string; readonly arn: string }
  /** An AWS service on behalf of a resource that has no role, such as a stage that calls a function. */
  | { readonly type: 'service'; readonly service: string; readonly sourceArn: string }
  /** A browser that asks whether it may use a presigned URL. */
  | { readonly type: 'anonymous' };

/** One account per local cloud. */
export const ROOT: Principal = { type: 'root', arn: 'arn:aws:iam::000000000000:root' };

/** Longest name of a session. */
const MAX_SESSION_NAME = 64;

/** The session of a role, as `sts:AssumeRole` names it; the session of a function has the function's name. */
export function sessionOf(roleArn: string, sessionName: string): Principal & { type: 'role' } {
  const [, , , , accountId, role = ''] = roleArn.split(':');
  const name = sessionName.replaceAll(/[^\w+=,.@-]/g, '-').slice(0, MAX_SESSION_NAME);
  const roleName = role.slice(role.lastIndexOf('/') + 1);
  return {
    type: 'role',
    roleArn,
    sessionName: name,
    arn: `arn:aws:sts::${accountId}:assumed-role/${roleName}/${name}`,
  };
}
