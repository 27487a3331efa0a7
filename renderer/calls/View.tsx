// The view a server has for a result: shown when a person wants it, below the result that is whole without it, in a frame that
// has no network, no origin and no way to this page but messages (spec host §22).
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { viewUri, type OpenedView, type ViewLink } from '../../shared/apps.ts';
import type { Call } from '../../shared/calls.ts';
import { viewOrigin, viewPath } from '../../shared/shell.ts';
import { useAsked } from '../asked.ts';
import { Button } from '../parts/Button.tsx';
import { Foreign } from '../parts/Foreign.tsx';
import { Address } from '../questions/Address.tsx';
import { desk } from '../session.ts';
import { opened } from '../tickets/openTicket.ts';
import { createBridge } from './bridge.ts';
import { useDefinition } from './definitions.ts';
import styles from './View.module.css';
import { ended, failure, resultOf } from './viewCalls.ts';
import { toolWords } from './words.ts';

const [least, most] = [60, 560];
const address = location.protocol === 'app:' ? `${viewOrigin}/` : viewPath;

export function View({ call }: { call: Call }) {
  const may = call.method === 'tools/call' && call.state === 'result';
  const definition = useDefinition(may ? call : null);
  const [open, setOpen] = useState(false);
  if (!may || definition === undefined || viewUri(definition) === null) return null;
  return open ? (
    <Opened call={call} close={() => setOpen(false)} />
  ) : (
    <p className={styles.offer}>
      <Button look="quiet" onPress={() => setOpen(true)}>
        Open its view
      </Button>
    </p>
  );
}

function Opened({ call, close }: { call: Call; close: () => void }) {
  const { value, failed } = useAsked('apps.open', { call: call.id }, { follow: ['pins'], patient: true });
  const [over, setOver] = useState<string | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const leave = useRef<() => Promise<void>>(() => Promise.resolve());
  useEffect(() => box.current?.focus(), []);
  const why = failed ?? over;
  return (
    <div className={styles.view} ref={box} tabIndex={-1} role="group" aria-label={`View of ${toolWords(call)}`}>
      <div className={styles.head}>
        <span>View of {call.prefix}, without network</span>
        <Button look="quiet" onPress={() => void leave.current().then(close)}>
          Close its view
        </Button>
      </div>
      {why !== null ? (
        <div className={styles.why} role="alert">
          <Foreign as="p" text={why} />
        </div>
      ) : value === undefined ? (
        <p className={styles.why}>Reading it…</p>
      ) : (
        <Frame key={value.html} call={call} view={value} over={setOver} leave={leave} />
      )}
    </div>
  );
}

interface FrameProps {
  call: Call;
  view: OpenedView;
  over: (why: string) => void;
  /** Set to what tells the view that it goes. */
  leave: React.RefObject<() => Promise<void>>;
}

function Frame({ call, view, over, leave }: FrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [refused, setRefused] = useState(0);
  const [words, setWords] = useState('');
  const [link, setLink] = useState<ViewLink | null>(null);
  // Before the frame has loaded, so that none of its messages is missed. What is shown of a call does not change.
  useLayoutEffect(() => {
    const gone = new AbortController();
    const of = { call: call.id };
    const bridge = createBridge(
      { html: view.html, input: call.arguments, result: resultOf(call) ?? failure(''), context: contextNow() },
      {
        // Its origin is nobody's, so no other can be named; the page that loads there is always our own.
        post: (message) => frame.current?.contentWindow?.postMessage(message, '*'),
        async call(tool, args) {
          const asked = await desk.ask('apps.call', { ...of, tool, arguments: args }, { deadline: null });
          if ('refused' in asked) return failure(asked.refused);
          return resultOf(await ended(opened.store, asked.call, gone.signal)) ?? failure('');
        },
        async read(uri) {
          const { text } = await desk.ask('apps.read', { ...of, uri }, { deadline: null });
          return { contents: [{ uri, text }] };
        },
        link: async (url) => setLink(await desk.ask('apps.link', { ...of, url })),
        message: setWords,
        height(pixels) {
          if (frame.current !== null) frame.current.style.height = `${Math.min(most, Math.max(least, pixels))}px`;
        },
        refused: setRefused,
        over,
        now: () => performance.now(),
      },
    );
    const hear = (event: MessageEvent<unknown>): void => {
      const own = event.source !== null && event.source === frame.current?.contentWindow;
      if (own && event.origin === 'null') bridge.take(event.data);
    };
    window.addEventListener('message', hear);
    leave.current = () => bridge.teardown();
    return () => {
      gone.abort();
      leave.current = () => Promise.resolve();
      void bridge.teardown(0);
      window.removeEventListener('message', hear);
    };
    // A view is opened over one result: what comes after is not told to it.
  }, []);
  return (
    <>
      <iframe
        ref={frame}
        className={styles.frame}
        title={`View of ${toolWords(call)}`}
        src={address}
        sandbox="allow-scripts"
        referrerPolicy="no-referrer"
      />
      {link !== null && (
        <div className={styles.link} role="group" aria-label="The view wants to open an address">
          <p>The view wants to open an address:</p>
          <Address id={link.id} form={link.form} route="apps.visit" />
          <Button look="quiet" onPress={() => setLink(null)}>
            Not now
          </Button>
        </div>
      )}
      {words !== '' && (
        <p className={styles.note}>
          The view says, to nobody but you: <Foreign text={words.slice(0, 300)} />
        </p>
      )}
      <p className={styles.note} role="status">
        {refused > 0 && `${refused} ${refused === 1 ? 'message' : 'messages'} of the view refused.`}
      </p>
    </>
  );
}

function contextNow() {
  const { theme } = document.documentElement.dataset;
  const dark = theme === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
  return {
    theme: dark ? 'dark' : 'light',
    displayMode: 'inline',
    availableDisplayModes: ['inline'],
    containerDimensions: { maxHeight: most },
    locale: 'en-GB',
    platform: 'desktop',
  };
}
