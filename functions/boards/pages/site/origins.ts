/** Whether the list contains the origin, or a pattern for it such as `https://*.example.com`. */
export const isAllowed = (origin: string, list: readonly string[]): boolean =>
  list.some((allowed) => {
    const [scheme, domain] = allowed.split('*.', 2);
    return domain === undefined ? origin === allowed : origin.startsWith(scheme!) && origin.endsWith(`.${domain}`);
  });
