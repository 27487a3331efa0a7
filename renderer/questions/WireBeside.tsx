// The very messages of one call, as they went over the wire: laid out for reading, what is secret blotted out by the host.
import type { Call } from '../../shared/calls.ts';
import { isObject, type Json } from '../../shared/json.ts';
import { useAsked } from '../asked.ts';
import { drawn } from '../parts/Foreign.tsx';
import { Empty, Failed, Loading } from '../parts/States.tsx';
import { momentWords } from '../parts/Time.tsx';
import styles from './WireBeside.module.css';

export function WireBeside({ call }: { call: Call }) {
  const { value, failed, again } = useAsked('calls.trace', { run: call.id }, { follow: ['calls'] });
  if (failed !== null) return <Failed what="The messages cannot be read." why={failed} again={again} />;
  if (value === undefined) return <Loading what="the messages" />;
  const messages = value.flatMap((traced) => (traced.call.id === call.id ? traced.messages : []));
  if (messages.length === 0)
    return (
      <Empty title="No messages.">
        <p>Nothing went over the wire yet, or it is more than 90 days ago.</p>
      </Empty>
    );
  return (
    <ol className={styles.wire}>
      {messages.map(({ round, direction, text, at }, index) => {
        const { title, body } = readable(text);
        const where = direction === 'out' ? `→ to ${call.prefix}` : `← from ${call.prefix}`;
        return (
          <li key={index}>
            <p className={styles.head}>
              <b>{where}</b> {title !== null && <code>{drawn(title)}</code>}
              <span>
                round {round}, {momentWords(at)}
              </span>
            </p>
            <pre className={styles.body} tabIndex={0} role="region" aria-label={`Message ${index + 1}, ${where}`}>
              {drawn(body)}
            </pre>
          </li>
        );
      })}
    </ol>
  );
}

/** Its method, and its text with a line a member; as it came where it is no JSON. */
function readable(text: string): { title: string | null; body: string } {
  try {
    const read = JSON.parse(text) as Json; // that is what JSON.parse gives
    const method = isObject(read) ? read['method'] : undefined;
    const title = typeof method === 'string' ? method : isObject(read) && 'error' in read ? 'error' : 'result';
    return { title, body: JSON.stringify(read, null, 2) };
  } catch {
    return { title: null, body: text };
  }
}
