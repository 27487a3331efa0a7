/** Signing a person in to a server: the page they are shown before anything is opened, and how it stands. */

/** Everything about the page is said before it is opened; the authorization server's own words are none of it. */
export interface SignInShown {
  prefix: string;
  /** Who signs in. */
  by: string;
  url: string;
  /** International names in their own letters, as they are looked up, and the part somebody registered. */
  host: string;
  spelled: string;
  domain: string;
  warnings: string[];
  issuer: string;
  /** What is asked for there. */
  scope: string | null;
  /** How the desk is known there. */
  client: string;
}
export interface SignInState {
  /** Whether an admin has set it up. */
  ready: boolean;
  /** What the server asked for last and was not given; null where it asks for nothing. */
  wanted: { kind: 'sign-in' | 'scope'; scope: string | null } | null;
  /** Under whom the server is asked now. */
  as: { person: string; client: string } | null;
  /** A page that waits for its person. */
  page: SignInShown | null;
  /** Why the last one came to nothing. */
  problem: string | null;
  /** Whether it outlives the desk: only where a key store keeps it. */
  lasting: boolean;
}
