/** Telling listening clients of a change, whichever way they are connected. */
import type { McpServer, ServerNotifier } from '@modelcontextprotocol/server';

/** Tells the clients of these servers; one that is not connected has nobody to tell. */
export function notifierOf(servers: ReadonlySet<McpServer>): ServerNotifier {
  const each = (tell: (server: McpServer) => unknown): void => {
    for (const server of servers) if (server.isConnected()) tell(server);
  };
  return {
    toolsChanged: () => each((server) => server.sendToolListChanged()),
    promptsChanged: () => each((server) => server.sendPromptListChanged()),
    resourcesChanged: () => each((server) => server.sendResourceListChanged()),
    resourceUpdated: (uri) =>
      each((server) => {
        server.server.sendResourceUpdated({ uri }).catch((error: unknown) => console.error(error));
      }),
  };
}

export function both(one: ServerNotifier, other: ServerNotifier): ServerNotifier {
  return {
    toolsChanged: () => [one, other].forEach((to) => to.toolsChanged()),
    promptsChanged: () => [one, other].forEach((to) => to.promptsChanged()),
    resourcesChanged: () => [one, other].forEach((to) => to.resourcesChanged()),
    resourceUpdated: (uri) => [one, other].forEach((to) => to.resourceUpdated(uri)),
  };
}
