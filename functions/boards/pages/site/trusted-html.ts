interface HtmlPolicy {
  createHTML(text: string): string;
}

/**
 * The policy by which a script may parse the markup of the server. Browsers without Trusted Types take the text as it
 * is.
 */
export function htmlPolicy(name: 'page'): HtmlPolicy {
  const rules: HtmlPolicy = { createHTML: (text) => text };
  const { trustedTypes } = globalThis as {
    trustedTypes?: { createPolicy(name: string, rules: HtmlPolicy): HtmlPolicy };
  };
  return trustedTypes?.createPolicy(name, rules) ?? rules;
}
