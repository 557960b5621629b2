/** An action of the audit log as people read it: `API key created` for `api_key.created`. */
export function actionInWords(action: string): string {
  const words = action
    .replace('.', ' ')
    .replaceAll('_', ' ')
    .replaceAll(/\b(api|scim|sso|mfa|cdc|ai)\b/g, (name) => name.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}
