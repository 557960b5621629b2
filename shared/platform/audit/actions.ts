/**
 * Every act of the audit log, as `<object>.<verb>`. Declared once: routes name the actions that they may log, and the
 * API's filter and document are made of this list.
 */
const VERBS = {
  access: ['granted', 'revoked'],
  api_key: ['created', 'updated', 'rotated', 'revoked'],
  audit_log: ['exported'],
  audit_settings: ['updated'],
  budgets: ['updated'],
  cdc_stream: ['created', 'updated', 'resynced', 'deleted'],
  company: ['updated', 'transferred', 'deleted', 'restored'],
  company_member: ['updated'],
  data_source: ['created', 'updated', 'upload_created', 'deleted'],
  dataset: ['created', 'updated', 'restored', 'deleted'],
  flowlet: ['created', 'updated', 'deleted'],
  group: ['created', 'updated', 'deleted', 'member_added', 'member_removed'],
  identity_provider: ['created', 'updated', 'domain_verified', 'identity_removed', 'deleted'],
  invitation: ['created', 'sent_again', 'accepted', 'deleted'],
  licence: ['uploaded', 'removed'],
  member: ['added', 'updated', 'removed', 'attributes_updated'],
  metric: ['created', 'updated', 'deleted'],
  model: [
    'created',
    'updated',
    'published',
    'restored',
    'deleted',
    'policy_created',
    'policy_updated',
    'policy_deleted',
  ],
  pipeline: ['created', 'updated', 'webhook_token_rotated', 'deleted'],
  quality_issue: ['updated'],
  quality_test: ['created', 'updated', 'deleted'],
  query: ['exported'],
  saved_query: ['created', 'updated', 'restored', 'deleted'],
  scim_token: ['created', 'deleted'],
  secret: ['created', 'updated', 'deleted'],
  service_account: ['created', 'updated', 'deleted'],
  session: ['ended', 'others_ended', 'token_reused'],
  sso_enforcement: ['updated'],
  user: [
    'signed_in',
    'sign_in_failed',
    'signed_out',
    'updated',
    'password_changed',
    'password_reset',
    'mfa_setup_started',
    'mfa_enabled',
    'mfa_disabled',
    'mfa_reset',
    'recovery_codes_replaced',
    'created',
    'activated',
    'deactivated',
    'removed',
    'restored',
    'passkey_added',
    'passkey_renamed',
    'passkey_removed',
  ],
  webhook: ['created', 'updated', 'deleted'],
  workspace: ['created', 'updated', 'deleted', 'restored'],
} as const satisfies Record<string, readonly string[]>;

export type AuditSubject = keyof typeof VERBS;
export type AuditAction = { [S in AuditSubject]: `${S}.${(typeof VERBS)[S][number]}` }[AuditSubject];

export const AUDIT_ACTIONS = Object.entries(VERBS).flatMap(([subject, verbs]) =>
  verbs.map((verb) => `${subject}.${verb}`),
) as AuditAction[];
