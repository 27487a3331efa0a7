/** The six policies as resources; each file is read when it is asked for, so an edited one is served at once. */
import { ResourceNotFoundError, type ListResourcesResult, type ReadResourceResult } from '@modelcontextprotocol/server';
import { existsSync, watch } from 'node:fs';
import { readFile } from 'node:fs/promises';

const titles: Readonly<Record<string, string>> = {
  refund: 'Refund policy',
  returns: 'Returns policy',
  shipping: 'Shipping policy',
  stock: 'Stock policy',
  'data-handling': 'Data handling policy',
  escalation: 'Escalation policy',
};
export const POLICIES_CACHE = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

const uriOf = (slug: string): string => `shop://policies/${slug}`;

export interface Policies {
  list(): Promise<ListResourcesResult>;
  /** -32602 with the URI for anything that is not exactly the URI of a policy. */
  read(uri: string): Promise<ReadResourceResult>;
  /** Tells of every policy whose file changes, comes or goes, as far as the system lets files be watched. */
  watch(changed: (uri: string) => void): void;
}

export function createPolicies(folder: URL): Policies {
  async function load(slug: string) {
    const text = await readFile(new URL(`${slug}.md`, folder), 'utf8');
    const updated = /^Updated: (\d{4}-\d{2}-\d{2})$/m.exec(text)?.[1];
    return { text, annotations: annotationsOf(slug, updated) };
  }
  return {
    list: async () => ({
      resources: await Promise.all(
        Object.entries(titles)
          .filter(([slug]) => existsSync(new URL(`${slug}.md`, folder)))
          .map(async ([slug, title]) => {
            const { annotations, text } = await load(slug);
            const size = Buffer.byteLength(text);
            return { uri: uriOf(slug), name: `${slug}-policy`, title, mimeType: 'text/markdown', size, annotations };
          }),
      ),
    }),
    read: async (uri) => {
      const slug = Object.keys(titles).find((known) => uriOf(known) === uri);
      if (slug === undefined || !existsSync(new URL(`${slug}.md`, folder)))
        throw new ResourceNotFoundError(uri, 'The shop has no such resource.');
      const { text, annotations } = await load(slug);
      // The contents of a read have no annotations of their own in the protocol: they travel in _meta.
      return { contents: [{ uri, mimeType: 'text/markdown', text, _meta: { annotations } }] };
    },
    watch: (changed) => {
      const deaf = (error: unknown): void => console.error('changes of the policies are not told:', error);
      try {
        watch(folder, { persistent: false }, (_event, file) => {
          const slug = Object.keys(titles).find((known) => `${known}.md` === file);
          if (slug !== undefined) changed(uriOf(slug));
        }).on('error', deaf);
      } catch (error) {
        deaf(error);
      }
    },
  };
}

function annotationsOf(slug: string, updated: string | undefined) {
  return {
    audience: ['assistant' as const],
    priority: slug === 'refund' ? 1 : 0.5,
    ...(updated ? { lastModified: `${updated}T00:00:00Z` } : {}),
  };
}
