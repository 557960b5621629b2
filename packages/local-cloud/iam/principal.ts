import type { Principal } from '../core/access/principal.ts';
import type { RequestContext } from './conditions.ts';

/** As messages name the caller: `arn:aws:sts::000000000000:assumed-role/worker/worker`. */
export function nameOf(principal: Principal): string {
  if (principal.type === 'anonymous') return 'anonymous';
  return principal.type === 'service' ? principal.service : principal.arn;
}

/** The account to which the caller belongs. */
export function accountOf(principal: Principal): string | undefined {
  return principal.type === 'root' || principal.type === 'role' ? principal.arn.split(':')[4] : undefined;
}

/** The ARNs under which a policy of a resource may name the caller. */
export function arnsOf(principal: Principal): string[] {
  if (principal.type === 'role') return [principal.arn, principal.roleArn];
  return principal.type === 'root' ? [principal.arn] : [];
}

/** The values of AWS's global condition keys. The local endpoint stands for AWS's, which are reached by TLS. */
export function contextOf(principal: Principal): RequestContext {
  const common = { 'aws:securetransport': 'true', 'aws:principalisawsservice': String(principal.type === 'service') };
  switch (principal.type) {
    case 'anonymous':
      return { ...common, 'aws:principaltype': 'Anonymous' };
    case 'service':
      return {
        ...common,
        'aws:principalservicename': principal.service,
        'aws:sourcearn': principal.sourceArn,
        'aws:sourceaccount': principal.sourceArn.split(':')[4] ?? '',
      };
    default:
      return {
        ...common,
        'aws:principalaccount': accountOf(principal) ?? '',
        'aws:principaltype': principal.type === 'role' ? 'AssumedRole' : 'Account',
        'aws:principalarn': principal.type === 'role' ? principal.roleArn : principal.arn,
      };
  }
}
