// Old and new of a definition side by side, with the words that came and went marked; schema changes as sentences.
import type { FieldDifference, WordPiece } from '../../shared/pins.ts';
import { Hidden } from '../parts/Hidden.tsx';
import { Drawn } from './Drawn.tsx';
import styles from './Difference.module.css';

const names: Record<string, string> = {
  description: 'Description',
  instructions: 'What it says of itself',
  inputSchema: 'What it takes',
  outputSchema: 'What it gives back',
  title: 'Title',
  presence: 'Presence',
  configuration: 'Configuration of its server',
};

export function Difference({ fields, before, after }: { fields: FieldDifference[]; before: string; after: string }) {
  return (
    <div className={styles.fields}>
      {fields.map((field) => (
        <section key={field.field} className={styles.field}>
          <h3>
            <Drawn text={names[field.field] ?? field.field} />
          </h3>
          {field.schema === undefined ? (
            <SideBySide field={field} before={before} after={after} />
          ) : (
            <SchemaChanges field={field} />
          )}
        </section>
      ))}
    </div>
  );
}

function SideBySide({ field, before, after }: { field: FieldDifference; before: string; after: string }) {
  const { words } = field;
  return (
    <div className={styles.sides}>
      <div className={styles.head}>{before}</div>
      <div className={styles.head}>{after}</div>
      <div className={styles.text} tabIndex={0} role="group" aria-label={before}>
        {words === undefined ? <Whole text={field.before} /> : <Pieces words={words} without="added" />}
      </div>
      <div className={styles.text} tabIndex={0} role="group" aria-label={after}>
        {words === undefined ? <Whole text={field.after} /> : <Pieces words={words} without="removed" />}
      </div>
    </div>
  );
}

function Whole({ text }: { text: string | null }) {
  return text === null ? <i className={styles.none}>nothing</i> : <Drawn text={text} />;
}

function Pieces({ words, without }: { words: WordPiece[]; without: WordPiece['kind'] }) {
  return words
    .filter(({ kind }) => kind !== without)
    .map(({ kind, text }, at) => {
      if (kind === 'same') return <Drawn key={at} text={text} />;
      const Mark = kind === 'added' ? 'ins' : 'del';
      return (
        <Mark key={at} className={styles[kind]}>
          <Hidden>{kind === 'added' ? ' new: ' : ' gone: '}</Hidden>
          <Drawn text={text} />
        </Mark>
      );
    });
}

function SchemaChanges({ field }: { field: FieldDifference }) {
  return (
    <ul className={styles.changes}>
      {(field.schema ?? []).map(({ at, text, breaking }, index) => (
        <li key={index}>
          {at !== '' && (
            <code>
              <Drawn text={at.slice(1)} />
            </code>
          )}{' '}
          <Drawn text={text} />
          {breaking !== null && (
            <b className={styles.breaking}>
              {' '}
              breaks {breaking === 'callers' ? 'calls as they are made now' : 'what reads its results'}
            </b>
          )}
        </li>
      ))}
    </ul>
  );
}
