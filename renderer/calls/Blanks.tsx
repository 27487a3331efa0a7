// The words of a template or prompt a person fills in, each completed by its server as they type. What is offered is the
// server's text; anything else may be typed as well.
import { useEffect, useRef, useState } from 'react';
import { ComboBox, Input, Label, ListBox, ListBoxItem, Popover, Text } from 'react-aria-components';
import type { Blank, Completed } from '../../shared/attaching.ts';
import { drawn, spelled } from '../parts/Foreign.tsx';
import field from '../parts/Field.module.css';
import fields from '../questions/FormFields.module.css';
import { desk } from '../session.ts';
import styles from './Attaching.module.css';
import { createCompleting, type Completing } from './completing.ts';

export interface Of {
  ticket: string;
  prefix: string;
  kind: 'prompts' | 'templates';
  name: string;
}
interface Props {
  of: Of;
  blanks: Blank[];
  given: Record<string, string>;
  give: (name: string, value: string) => void;
}

export function Blanks({ of, blanks, given, give }: Props) {
  return blanks.map((blank, at) => (
    <OneBlank
      key={blank.name}
      of={of}
      blank={blank}
      value={given[blank.name] ?? ''}
      others={Object.fromEntries(Object.entries(given).filter(([name, value]) => name !== blank.name && value !== ''))}
      give={(value) => give(blank.name, value)}
      first={at === 0}
    />
  ));
}

interface OneProps {
  of: Of;
  blank: Blank;
  value: string;
  others: Record<string, string>;
  give: (value: string) => void;
  first: boolean;
}

function OneBlank({ of, blank, value, others, give, first }: OneProps) {
  const [found, setFound] = useState<Completed | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const completing = useRef<Completing>(null);
  const latest = useRef({ of, others });
  useEffect(() => {
    latest.current = { of, others };
  });
  useEffect(() => {
    const mine = createCompleting({
      ask: (typed, signal) => {
        const now = latest.current;
        const asked = { ...now.of, argument: blank.name, value: typed, others: now.others };
        return desk.ask('calls.complete', asked, { signal, deadline: null });
      },
      tell(completed, why) {
        setFound(completed);
        setFailed(why);
      },
    });
    completing.current = mine;
    return () => mine.stop();
  }, [blank.name]);
  const values = [...new Set(found?.values ?? [])];
  return (
    <ComboBox
      className={styles.blank ?? ''}
      inputValue={value}
      onInputChange={(typed) => {
        give(typed);
        completing.current?.typed(typed);
      }}
      onChange={(key) => {
        if (typeof key === 'string') give(key);
      }}
      onFocus={() => completing.current?.typed(value)}
      items={values.map((one) => ({ one }))}
      isRequired={blank.required}
      validationBehavior="aria"
      menuTrigger="focus"
      allowsCustomValue
      allowsEmptyCollection={false}
    >
      <Label className={field.label ?? ''}>{drawn(blank.name.replaceAll('_', ' '))}</Label>
      <Input className={field.input ?? ''} dir="auto" autoComplete="off" autoFocus={first} />
      <Text slot="description" className={field.help ?? ''}>
        {blank.description !== null && <>{drawn(blank.description)} </>}
        {failed === null ? moreWords(found) : `Nothing can be proposed: ${spelled(failed)}`}
      </Text>
      <Popover className={fields.popover ?? ''} data-popup>
        <ListBox className={fields.choices ?? ''}>
          {({ one }: { one: string }) => (
            <ListBoxItem id={one} textValue={one} className={fields.choice ?? ''}>
              {drawn(one)}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}

function moreWords(found: Completed | null): string {
  if (found === null || !found.more) return '';
  const all = found.total === null ? 'more' : `${found.total} in all`;
  return `${found.values.length} are proposed, ${all}: type on.`;
}
