// A server over HTTP that drops its first stream of notices, honours only a part of what the next is asked for, and at
// every call tells of the tools, and of the prompts under a subscription that is not the desk's. `late`: it acknowledges
// what it is asked for at a call only, and drops nothing.
import { complete, json, say, serveHttp, stream, text, tool } from './httpFrame.mjs';

const subscription = 'io.modelcontextprotocol/subscriptionId';
const late = process.argv[2] === 'late';
let opened = 0;
let read = 0;
let notices = null;

serveHttp({
  tools: [tool('ping')],
  capabilities: { tools: { listChanged: true }, prompts: { listChanged: true }, resources: { subscribe: true } },
  on(message, response) {
    if (message?.method === 'prompts/list') {
      json(
        response,
        complete(message.id, { prompts: [{ name: `p${++read}` }], ttlMs: 3_600_000, cacheScope: 'private' }),
      );
      return true;
    }
    if (message?.method === 'tools/call') {
      notices?.('tools');
      json(response, complete(message.id, text('pong')));
      return true;
    }
    if (message?.method !== 'subscriptions/listen') return false;
    const asked = message.params.notifications;
    say({ opened: ++opened, asked });
    const send = stream(response);
    const _meta = { [subscription]: message.id };
    const acknowledge = (notifications) =>
      send({ method: 'notifications/subscriptions/acknowledged', params: { notifications, _meta } });
    if (late) {
      notices = () => acknowledge(asked);
      return true;
    }
    acknowledge(opened === 1 ? asked : { toolsListChanged: true });
    if (opened === 1) setTimeout(() => response.end(), 50);
    else
      notices = () => {
        send({ method: 'notifications/prompts/list_changed', params: { _meta: { [subscription]: 'listen:999' } } });
        send({ method: 'notifications/tools/list_changed', params: { _meta } });
      };
    return true;
  },
});
