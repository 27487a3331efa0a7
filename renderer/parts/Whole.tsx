// A value a person decides by: in full, or cut where nobody can miss it, with all of it one step away.
import { useEffect, useRef, useState } from 'react';
import { cx } from '../classes.ts';
import { Button } from './Button.tsx';
import { Foreign } from './Foreign.tsx';
import styles from './Whole.module.css';

/** Text up to this long is never cut. */
const short = 400;

export function Whole({ text, className }: { text: string; className?: string | undefined }) {
  return text.length <= short ? (
    <Foreign text={text} className={className} />
  ) : (
    <Long text={text} className={className} />
  );
}

function Long({ text, className }: { text: string; className: string | undefined }) {
  const box = useRef<HTMLDivElement>(null);
  const [cut, setCut] = useState(false);
  const [all, setAll] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (element === null || all) return;
    const watch = new ResizeObserver(() => setCut(element.scrollHeight > element.clientHeight + 1));
    watch.observe(element);
    return () => watch.disconnect();
  }, [all]);
  return (
    <div className={className}>
      <div ref={box} className={cx(!all && styles.most, cut && !all && styles.cut)}>
        <Foreign as="div" text={text} />
      </div>
      {cut && (
        <Button look={all ? 'quiet' : 'plain'} className={styles.more} onPress={() => setAll((old) => !old)}>
          {all ? 'Show less' : `It goes on: show all ${text.length.toLocaleString('en')} characters`}
        </Button>
      )}
    </div>
  );
}
