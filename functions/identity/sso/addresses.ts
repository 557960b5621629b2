export const callbackUrl = (base: string, slug: string): string => `${base}/auth/sso/${slug}/callback`;

/** The entity id of the platform for one provider, so that no other provider's response has this audience. */
export const audienceOf = (callback: string): string => callback.replace(/callback$/, 'metadata');

/** The platform's own page, to which a sign-on may always return. */
export const signInPage = (base: string): string => `${base}/sign-in`;
