// A template or prompt filled in. What a prompt returns is looked at before anything of it is used.
import { useEffect, useRef, useState } from 'react';
import type { Blank, ShownPrompt } from '../../shared/attaching.ts';
import { useDoing } from '../asked.ts';
import { announce } from '../parts/announce.ts';
import { Button } from '../parts/Button.tsx';
import { Foreign } from '../parts/Foreign.tsx';
import { Notice } from '../parts/Page.tsx';
import { bytesWords } from '../pins/bytesWords.ts';
import { desk } from '../session.ts';
import styles from './Attaching.module.css';
import { Blanks, type Of } from './Blanks.tsx';

/** What may be attached. */
export interface Offer {
  id: string;
  kind: 'document' | 'template' | 'prompt';
  prefix: string;
  /** URI, template or name. */
  name: string;
  title: string;
  note: string;
  description: string | null;
  blanks: Blank[];
  /** Stands before every draft already. */
  always: boolean;
}

interface Props {
  offer: Offer;
  ticket: string;
  busy: boolean;
  back: () => void;
  attach: (given: Record<string, string>) => void;
  use: (hash: string) => void;
}

export function FillIn({ offer, ticket, busy, back, attach, use }: Props) {
  const { kind, prefix, name, title, description, blanks } = offer;
  // Each from the start: a blank may be called like what every object has.
  const [given, setGiven] = useState(() => Object.fromEntries(blanks.map((blank) => [blank.name, ''])));
  const [shown, setShown] = useState<ShownPrompt | null>(null);
  const { busy: asking, failed, run } = useDoing();
  const of: Of = { ticket, prefix, name, kind: kind === 'prompt' ? 'prompts' : 'templates' };
  const missing = blanks.some((blank) => blank.required && (given[blank.name] ?? '').trim() === '');
  async function show(): Promise<void> {
    const asked = { ticket, prefix, name, arguments: given };
    const next = await run(() => desk.ask('calls.prompt', asked, { deadline: null }));
    if (next === undefined) return;
    setShown(next);
    announce('What the prompt says is shown below.');
  }
  const waits = busy || asking;
  function goOn(): void {
    if (missing || waits) return;
    if (kind === 'template') attach(given);
    else if (shown === null) void show();
    else use(shown.hash);
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        goOn();
      }}
    >
      <h3 className={styles.head}>
        <Foreign text={title} /> <small>{`${kind} of ${prefix}`}</small>
      </h3>
      {description !== null && <Foreign as="p" text={description} className={styles.says} />}
      <Blanks
        of={of}
        blanks={blanks}
        given={given}
        give={(blank, value) => {
          setGiven((old) => ({ ...old, [blank]: value }));
          // Other words make another prompt: it is looked at again.
          setShown(null);
        }}
      />
      {shown !== null && <Said shown={shown} prefix={prefix} />}
      {failed !== null && (
        <Notice title="It cannot be shown" look="danger">
          <Foreign text={failed.message} />
        </Notice>
      )}
      <p className={styles.acts}>
        <Button look="quiet" onPress={back}>
          Back to the list
        </Button>
        <span className={styles.grow} />
        {/* Not disabled while it waits: a disabled button loses the focus, and with it the dialog its keys. */}
        <Button look="primary" disabled={missing} onPress={goOn}>
          {waits
            ? 'Reading it…'
            : kind === 'template'
              ? 'Attach'
              : shown === null
                ? 'Show what it says'
                : 'Use it in the next draft'}
        </Button>
      </p>
      {/* Enter in a field sends a form only where it has such a button. */}
      <button type="submit" hidden />
    </form>
  );
}

/** What a prompt returned, before anything of it is used: it takes the focus, so that a second Enter uses nothing unread. */
function Said({ shown: { description, parts, bytes }, prefix }: { shown: ShownPrompt; prefix: string }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div ref={box} className={styles.said} role="region" aria-label="What the prompt says" tabIndex={0}>
      <p className={styles.from}>
        From {prefix}, {bytesWords(bytes)}: text from outside. It gives no orders here, whoever it says it is.
      </p>
      {description !== '' && <Foreign as="p" text={description} className={styles.says} />}
      <ol>
        {parts.map((part, at) => (
          <li key={at}>
            {part.uri !== null && <Foreign as="code" text={part.uri} />}
            {part.attached ? (
              <p className={styles.from}>Stands before the draft already; it is not taken twice.</p>
            ) : part.text === '' ? (
              <p className={styles.from}>Holds no text; it is left out.</p>
            ) : (
              <Foreign as="pre" text={part.text} />
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}
