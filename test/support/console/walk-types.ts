/** What the API replies to an operation, in the place of the server. */
export interface Reply {
  method: string;
  /** Of the path, such as `^/api/runs/([^/]+)$`. */
  path: string;
  /** The ids that the body has for the parameters of the path, as far as known; the requested ones replace them. */
  ids: readonly (string | undefined)[];
  status: number;
  type: string;
  body: string;
}

/** How the API behaves while screens are looked at. */
export interface Behaviour {
  /** `hang`: nothing arrives. */
  kind: 'hang' | 'answer';
  replies: readonly Reply[];
  /** Replied in the place of each of them. */
  failure?: { status: number; body: string };
}

/** Which rules of accessibility are checked: all, those that depend on colors, or none. */
export type Rules = 'all' | 'colors' | 'none';

/** A way through the screens. */
export interface Walk {
  /** Below the console, such as `/runs/1`. */
  paths: readonly string[];
  rules: Rules;
  /** Whether screens wait for replies that never come. */
  isHanging: boolean;
  /** What a screen says whose reads have failed. */
  failure?: string | undefined;
  /** Screens that need nothing of what they read. */
  silent: readonly string[];
  /** Looks at each tab of a screen, and for texts that are cut off, cover each other, or are for machines. */
  isDeep: boolean;
  /** Looks at each screen with longer texts too. */
  hasLongTexts: boolean;
}

export interface Walked {
  /** What is wrong, as `<where>: <what>`. */
  issues: string[];
  /** How often a screen was looked at, and how often axe has run. */
  looks: number;
  axeRuns: number;
  /** How many of the looks showed something else than all others. */
  pages: number;
}
