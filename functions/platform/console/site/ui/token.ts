/**
 * The token of a link in a mail. It is in the fragment of the address, which browsers send to no server, and is removed
 * from the address and from the history at once.
 */
export function takeToken(): string {
  const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
  if (location.hash !== '') history.replaceState(history.state, '', location.pathname + location.search);
  return token;
}
