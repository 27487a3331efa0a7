// The list of a pane: sections of rows of which one is open. Arrows and the screen's own keys move it, Enter goes to what is
// open, Escape comes back.
import { useEffect, useRef } from 'react';
import { Header, ListBox, ListBoxItem, ListBoxSection } from 'react-aria-components';
import { useCommand } from '../commands/registry.ts';
import type { CommandId } from '../../shared/commands.ts';
import styles from './PickList.module.css';

interface PickItem {
  id: string;
  /** What a screen reader says of the row. */
  text: string;
  row: React.ReactNode;
}
export interface PickSection {
  id: string;
  title: string;
  note?: React.ReactNode;
  items: PickItem[];
}
interface Props {
  label: string;
  sections: PickSection[];
  selected: string | null;
  pick: (id: string) => void;
  /** The commands of this screen that move in the list. */
  keys: { next: CommandId; previous: CommandId; open: CommandId; list: CommandId };
  /** Goes to what is open. */
  open: () => void;
}

export function PickList({ label, sections, selected, pick, keys, open }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const ids = sections.flatMap(({ items }) => items.map(({ id }) => id));
  /** Focusing a row picks it, so nothing is focused but the row that is meant. */
  function focus(id: string | null | undefined): void {
    const row = box.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(id ?? '')}"]`);
    row?.focus();
    // The list box goes back to where it was scrolled when it gets the focus.
    row?.scrollIntoView({ block: 'nearest' });
  }
  function move(by: number): void {
    const at = selected === null ? -1 : ids.indexOf(selected);
    const next = ids[Math.min(ids.length - 1, Math.max(0, at + by))];
    if (next === undefined) return;
    pick(next);
    focus(next);
  }
  useCommand(keys.next, () => move(1), ids.length > 0);
  useCommand(keys.previous, () => move(-1), ids.length > 0);
  useCommand(keys.open, open, selected !== null);
  // What is open may have left the list meanwhile.
  useCommand(keys.list, () => focus(ids.find((id) => id === selected) ?? ids[0]), ids.length > 0);
  useEffect(() => {
    // On arrival, and where what had the focus is gone, the keyboard is in the list.
    if (document.activeElement === document.body) focus(selected);
  });
  return (
    <ListBox
      ref={box}
      className={styles.list ?? ''}
      aria-label={label}
      selectionMode="single"
      selectionBehavior="replace"
      disallowEmptySelection
      shouldFocusWrap={false}
      selectedKeys={selected === null ? [] : [selected]}
      onSelectionChange={(keysNow) => {
        const [one] = keysNow === 'all' ? [] : keysNow;
        if (typeof one === 'string') pick(one);
      }}
      onAction={open}
    >
      {sections.map((section) => (
        // A section and a row of one name would send the list round in circles.
        <ListBoxSection key={section.id} id={`section: ${section.id}`}>
          <Header className={styles.head ?? ''}>
            <span>{section.title}</span>
            <span className={styles.note}>{section.note}</span>
          </Header>
          {section.items.map((item) => (
            <ListBoxItem key={item.id} id={item.id} textValue={item.text} className={styles.item ?? ''}>
              {item.row}
            </ListBoxItem>
          ))}
        </ListBoxSection>
      ))}
    </ListBox>
  );
}

/** A row of two lines: who and when, what and its state. */
export function TwoLines(props: {
  title: React.ReactNode;
  age?: React.ReactNode;
  words: React.ReactNode;
  state?: React.ReactNode;
}) {
  return (
    <span className={styles.two}>
      <span className={styles.title}>{props.title}</span>
      <span className={styles.age}>{props.age}</span>
      <span className={styles.words}>{props.words}</span>
      <span className={styles.state}>{props.state}</span>
    </span>
  );
}
/** A row of one line with its state at the end. */
export function OneLine({ title, state }: { title: React.ReactNode; state: React.ReactNode }) {
  return (
    <span className={styles.one}>
      <span className={styles.words}>{title}</span>
      <span className={styles.age}>{state}</span>
    </span>
  );
}
