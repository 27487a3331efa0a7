// What a file does not say, to be said by a person before anything comes in; and what was said, to be said otherwise.
import { useState } from 'react';
import {
  Button as AriaButton,
  ComboBox,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  RadioGroup,
} from 'react-aria-components';
import type { ImportOptions, ImportQuestion } from '../../shared/imports.ts';
import { Button } from '../parts/Button.tsx';
import field from '../parts/Field.module.css';
import { drawn, Foreign, spelled } from '../parts/Foreign.tsx';
import { OneOf } from '../parts/Option.tsx';
import fields from '../questions/FormFields.module.css';
import styles from './Imports.module.css';

type Answered = Exclude<keyof ImportOptions, 'columns'>;
const answerWords: Record<Answered, string> = {
  encoding: 'Encoding',
  delimiter: 'Between columns',
  header: 'First row',
  dates: 'Dates',
  zone: 'Time zone',
};
/** Keys of the record are exactly these. */
const answered = Object.keys(answerWords) as Answered[];

export function Questions(props: {
  questions: ImportQuestion[];
  answer: (name: Answered, value: string) => void;
  disabled: boolean;
}) {
  return props.questions.map(({ name, text, choices }) => (
    <div key={name} className={styles.question} data-question="" role="group" aria-label={spelled(text)} tabIndex={-1}>
      {name === 'columns' ? (
        <Foreign as="p" text={`${text} Choose them in the table of columns below.`} className={styles.ask} />
      ) : choices.length > 12 ? (
        <OneOfMany text={text} choices={choices} answer={(value) => props.answer(name, value)} />
      ) : (
        <RadioGroup
          className={fields.group ?? ''}
          isDisabled={props.disabled}
          value={null}
          onChange={(value) => props.answer(name, value)}
        >
          <Label className={styles.ask ?? ''}>{drawn(text)}</Label>
          {choices.map(({ value, label, example }) => (
            <OneOf key={value} value={value}>
              {drawn(label)}
              {example !== undefined && <span className={styles.example}> {drawn(example)}</span>}
            </OneOf>
          ))}
        </RadioGroup>
      )}
    </div>
  ));
}

interface ManyProps {
  text: string;
  choices: ImportQuestion['choices'];
  answer: (value: string) => void;
}

function OneOfMany({ text, choices, answer }: ManyProps) {
  const [typed, setTyped] = useState('');
  return (
    <ComboBox
      inputValue={typed}
      onInputChange={setTyped}
      onChange={(key) => {
        if (typeof key === 'string') answer(key);
      }}
      menuTrigger="focus"
      allowsEmptyCollection
    >
      <Label className={styles.ask ?? ''}>{drawn(text)}</Label>
      <div className={styles.zone}>
        <Input className={field.input ?? ''} placeholder="Type a part of it, as Berlin" />
        <AriaButton aria-label="All of them">▾</AriaButton>
      </div>
      <Popover className={fields.popover ?? ''} data-popup>
        <ListBox className={fields.choices ?? ''} renderEmptyState={() => 'None of that name.'}>
          {choices.map(({ value, label }) => (
            <ListBoxItem key={value} id={value} textValue={label} className={fields.choice ?? ''}>
              {label}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}

/** What a person said so far; each can be asked anew. */
export function Answers({ options, forget }: { options: ImportOptions; forget: (name: Answered) => void }) {
  const said = answered.filter((name) => options[name] !== undefined);
  return said.length === 0 ? null : (
    <div className={styles.answered}>
      {said.map((name) => (
        <Button key={name} onPress={() => forget(name)}>
          {answerWords[name]}: {drawn(String(options[name]))}, change
        </Button>
      ))}
    </div>
  );
}
